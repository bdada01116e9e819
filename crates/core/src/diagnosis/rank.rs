//! Do two things rise together? By ranks, so that no shape is assumed, with ties; and by how much one rises with the other.

/// Spearman's rank correlation of pairs, and how many of its own standard errors it lies from none (ρ·√(n − 1)). None where
/// one side never varies.
pub(super) fn correlation(pairs: &[(i64, i64)]) -> Option<(f64, f64)> {
    let x = ranks(pairs.iter().map(|p| p.0).collect());
    let y = ranks(pairs.iter().map(|p| p.1).collect());
    let rho = covariance(&x, &y) / (covariance(&x, &x) * covariance(&y, &y)).sqrt();
    rho.is_finite().then(|| (rho, rho * (pairs.len() as f64 - 1.0).sqrt()))
}

/// By how much the second rises for each step of the first, by least squares; none where the first never varies.
pub(super) fn slope(pairs: &[(i64, i64)]) -> Option<f64> {
    let x: Vec<f64> = pairs.iter().map(|p| p.0 as f64).collect();
    let y: Vec<f64> = pairs.iter().map(|p| p.1 as f64).collect();
    let slope = covariance(&x, &y) / covariance(&x, &x);
    slope.is_finite().then_some(slope)
}

fn covariance(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / n
}

/// Ranks from 1; equal values share the middle of theirs.
fn ranks(values: Vec<i64>) -> Vec<f64> {
    let mut sorted = values.clone();
    sorted.sort_unstable();
    let rank = |v: &i64| {
        let (below, up_to) = (sorted.partition_point(|s| s < v), sorted.partition_point(|s| s <= v));
        (below + up_to + 1) as f64 / 2.0
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_with_ties_agree_with_scipy() {
        // scipy.stats.spearmanr([1,2,2,3,5], [10,30,20,20,90]) = 0.763…
        let (rho, z) = correlation(&[(1, 10), (2, 30), (2, 20), (3, 20), (5, 90)]).expect("both vary");
        assert!((rho - 0.763_157_894_7).abs() < 1e-9, "{rho}");
        assert!((z - 2.0 * rho).abs() < 1e-12);
        assert_eq!(correlation(&[(1, 1), (1, 2)]), None);
        assert_eq!(correlation(&[]), None);
        assert_eq!(slope(&[(0, 5), (1, 7), (2, 9)]), Some(2.0));
        assert_eq!(slope(&[(4, 5), (4, 7)]), None);
    }
}
