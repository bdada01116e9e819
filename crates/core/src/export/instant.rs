//! An instant as it is written in a run file, as seconds since 1970.

use firstlight_json::number;

/// Of RFC 3339 (`2026-01-02T03:04:05.678Z`); none of anything else.
pub(super) fn epoch_seconds(text: &str) -> Option<f64> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let mut date = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let at = time.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = time.split_at(at);
    let mut clock = clock.splitn(3, ':');
    let (hour, minute): (i64, i64) = (clock.next()?.parse().ok()?, clock.next()?.parse().ok()?);
    let second = number(clock.next()?)?;
    let sound = (1..=12).contains(&month) && (1..=31).contains(&day) && (0..24).contains(&hour) && (0..60).contains(&minute);
    if !sound || !(0.0..61.0).contains(&second) {
        return None;
    }
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 - offset(zone)?;
    Some(seconds as f64 + second)
}

/// East of Greenwich, in seconds.
fn offset(zone: &str) -> Option<i64> {
    let sign = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return (zone.len() == 1).then_some(0),
    };
    let (hours, minutes) = zone[1..].split_once(':')?;
    Some(sign * (hours.parse::<i64>().ok()? * 3600 + minutes.parse::<i64>().ok()? * 60))
}

/// Days since 1970 of a date of the Gregorian calendar. The year begins in March, so that the odd day is its last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::epoch_seconds;

    #[test]
    fn instants() {
        let check = |text: &str, want: Option<f64>| assert_eq!(epoch_seconds(text), want, "{text}");
        check("1970-01-01T00:00:00Z", Some(0.0));
        check("2000-02-29T12:00:00.250Z", Some(951_825_600.25));
        check("2026-01-02T03:04:05Z", Some(1_767_323_045.0));
        check("2026-01-02T12:04:05+09:00", Some(1_767_323_045.0));
        check("1969-12-31T23:59:59-00:00", Some(-1.0));
        for wrong in ["", "today", "2026-01-02", "2026-13-02T00:00:00Z", "2026-01-02T03:04:05", "2026-01-02T03:04Z"] {
            check(wrong, None);
        }
    }
}
