//! Order by a key. The library's sort is compiled anew for every type that it sorts, at 3 to 5 kB each; here it sorts places alone, once
//! for all types. Lists of plain numbers, which can be long, are sorted by the library itself.

use std::cmp::Ordering;

/// Sorts by a key; what has the same key keeps its order.
pub(crate) fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    let mut places = places(items.len(), &|a, b| key(&items[a]).cmp(&key(&items[b])));
    for at in 0..items.len() {
        // What stood before `at` was swapped to where `places` says now.
        let mut from = places[at];
        while from < at {
            from = places[from];
        }
        items.swap(at, from);
        places[at] = from;
    }
}

/// Places in the order of what stands there.
#[inline(never)]
fn places(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..len).collect();
    places.sort_by(|a, b| compare(*a, *b));
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::by_key;

    fn by_length(words: &[&str]) -> Vec<String> {
        let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        by_key(&mut words, |word| word.len());
        words
    }

    #[test]
    fn what_has_the_same_key_keeps_its_order() {
        assert_eq!(by_length(&[]), [""; 0]);
        assert_eq!(by_length(&["a"]), ["a"]);
        assert_eq!(by_length(&["b", "a", "c"]), ["b", "a", "c"]);
        assert_eq!(by_length(&["ccc", "bb", "a"]), ["a", "bb", "ccc"]);
        assert_eq!(by_length(&["yy", "b", "xx", "", "a", "zz"]), ["", "b", "a", "yy", "xx", "zz"]);
    }

    proptest! {
        #[test]
        fn it_is_the_order_of_the_library(mut items in prop::collection::vec((0u8..20, any::<u16>()), 0..200)) {
            let mut wanted = items.clone();
            wanted.sort_by_key(|(key, _)| *key);
            by_key(&mut items, |(key, _)| *key);
            prop_assert_eq!(items, wanted);
        }
    }
}
