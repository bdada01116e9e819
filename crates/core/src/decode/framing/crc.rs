//! The CRC-32 of AWS's messages, four bits at a time. The tables of a library for it are 16 kB, and no compressor makes them smaller.

/// The polynomial of the CRC-32, its bits in reverse.
const POLYNOMIAL: u32 = 0xEDB8_8320;

/// What four bits that leave the register do to the rest of it.
const TABLE: [u32; 16] = table();

const fn table() -> [u32; 16] {
    let mut table = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        let (mut crc, mut left) = (bits as u32, 4);
        while left > 0 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ POLYNOMIAL } else { crc >> 1 };
            left -= 1;
        }
        table[bits] = crc;
        bits += 1;
    }
    table
}

/// The CRC of some bytes.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let shift = |crc: u32| TABLE[(crc & 15) as usize] ^ (crc >> 4);
    !bytes.iter().fold(!0, |crc, byte| shift(shift(crc ^ u32::from(*byte))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::crc32;

    #[test]
    fn the_check_value_is_that_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(&[0]), 0xD202_EF8D);
        assert_eq!(crc32(&[0; 32]), 0x190A_55AD);
        assert_eq!(crc32(&[0xFF; 32]), 0xFF6C_AB0B);
        // The first eight bytes of a message of 125 bytes, 32 of them headers.
        assert_eq!(crc32(&[0, 0, 0, 0x7D, 0, 0, 0, 0x20]), 0x5F0E_DBDF);
    }

    proptest! {
        #[test]
        fn it_is_the_crc_of_another_implementation(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            prop_assert_eq!(crc32(&bytes), crc32fast::hash(&bytes));
        }
    }
}
