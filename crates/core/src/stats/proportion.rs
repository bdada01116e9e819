//! How sure is a share (failures, passes, requests that met a limit), and by how much do two shares differ?

use statrs::function::beta::beta_reg;

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Those that are.
    pub hits: usize,
    /// All.
    pub of: usize,
}

/// 97.5 % of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

impl Share {
    /// As a fraction; none of none.
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| self.hits as f64 / self.of as f64)
    }

    /// The exact 95 % interval of Clopper and Pearson: it covers at least 95 % whatever the share; none of none.
    pub fn exact(self) -> Option<(f64, f64)> {
        let Share { hits: k, of: n } = self;
        if n == 0 || k > n {
            return None;
        }
        let (k, n) = (k as f64, n as f64);
        let lower = if self.hits == 0 { 0.0 } else { inverse_beta(k, n - k + 1.0, 0.025) };
        let upper = if self.hits == self.of { 1.0 } else { inverse_beta(k + 1.0, n - k, 0.975) };
        Some((lower, upper))
    }

    /// Wilson's 95 % interval; none of none.
    pub fn wilson(self) -> Option<(f64, f64)> {
        let p = self.value()?;
        let n = self.of as f64;
        let middle = p + Z * Z / (2.0 * n);
        let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        Some((((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0)))
    }

    /// The smallest number of trials, at the same number of hits, whose exact interval lies below a limit; none where no
    /// number would do.
    pub fn trials_to_stay_below(self, limit: f64) -> Option<usize> {
        let below = |of: usize| Share { of, ..self }.exact().is_some_and(|(_, upper)| upper < limit);
        let mut high = self.of.max(self.hits).max(1);
        while !below(high) {
            high = high.checked_mul(2).filter(|n| *n <= 1 << 30 && limit > 0.0)?;
        }
        let mut low = self.hits.max(1) - 1;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if below(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }
}

/// The 95 % interval of the difference `b − a` of two independent shares: Newcombe's, from both Wilson intervals.
pub fn difference_of_shares(a: Share, b: Share) -> Option<(f64, f64)> {
    let (pa, pb) = (a.value()?, b.value()?);
    let ((la, ua), (lb, ub)) = (a.wilson()?, b.wilson()?);
    let root = |x: f64, y: f64| (x * x + y * y).sqrt();
    Some((pb - pa - root(pb - lb, ua - pa), pb - pa + root(ub - pb, pa - la)))
}

/// Where the incomplete beta function reaches a probability, by bisection.
fn inverse_beta(a: f64, b: f64, probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if beta_reg(a, b, middle) < probability { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{Binomial, Discrete};

    #[test]
    fn it_agrees_with_published_values() {
        let near = |got: Option<(f64, f64)>, want: (f64, f64)| {
            let (l, u) = got.expect("an interval");
            assert!((l - want.0).abs() < 5e-5 && (u - want.1).abs() < 5e-5, "{l} {u}, wanted {want:?}");
        };
        near(Share { hits: 0, of: 10 }.exact(), (0.0, 0.3085));
        near(Share { hits: 4, of: 20 }.exact(), (0.0573, 0.4366));
        near(Share { hits: 20, of: 20 }.exact(), (0.8316, 1.0));
        near(Share { hits: 388, of: 400 }.wilson(), (0.9483, 0.9828));
        // Newcombe (1998), method 10, 56/70 against 48/80.
        near(difference_of_shares(Share { hits: 48, of: 80 }, Share { hits: 56, of: 70 }), (0.0524, 0.3339));
        assert_eq!(Share::default().exact(), None);
    }

    #[test]
    fn the_exact_interval_covers_at_least_95_percent_for_every_share_tried() {
        for n in [5usize, 20, 72, 200] {
            let intervals: Vec<_> = (0..=n).filter_map(|hits| Share { hits, of: n }.exact()).collect();
            for thousandths in (5..1000).step_by(15) {
                let p = f64::from(thousandths) / 1000.0;
                let binomial = Binomial::new(p, n as u64).expect("a binomial");
                let covers = |(_, i): &(usize, &(f64, f64))| i.0 <= p && p <= i.1;
                let covered: f64 = intervals.iter().enumerate().filter(covers).map(|(k, _)| binomial.pmf(k as u64)).sum();
                assert!(covered >= 0.95 - 1e-9, "n = {n}, p = {p}: {covered}");
            }
        }
    }

    #[test]
    fn how_many_trials_a_limit_needs() {
        // 1 − 0.99ⁿ ≥ 0.975
        assert_eq!(Share { hits: 0, of: 10 }.trials_to_stay_below(0.01), Some(368));
        let needed = Share { hits: 3, of: 100 }.trials_to_stay_below(0.02).expect("a number");
        let upper = |of| Share { hits: 3, of }.exact().expect("an interval").1;
        assert!(upper(needed) < 0.02 && upper(needed - 1) >= 0.02);
        assert_eq!(Share { hits: 0, of: 10 }.trials_to_stay_below(0.0), None);
    }
}
