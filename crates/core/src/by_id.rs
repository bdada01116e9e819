//! A small map from request numbers, for what is under way: a handful of entries, looked through in a row.

/// Values by request number, in order of insertion.
#[derive(Debug)]
pub struct ById<T>(Vec<(u32, T)>);

impl<T> Default for ById<T> {
    fn default() -> Self {
        ById(Vec::new())
    }
}

impl<T> ById<T> {
    /// The value of a number.
    pub fn get(&self, id: u32) -> Option<&T> {
        self.0.iter().find(|(i, _)| *i == id).map(|(_, value)| value)
    }

    /// The value of a number, to change.
    pub fn get_mut(&mut self, id: u32) -> Option<&mut T> {
        self.0.iter_mut().find(|(i, _)| *i == id).map(|(_, value)| value)
    }

    /// Sets the value of a number.
    pub fn insert(&mut self, id: u32, value: T) {
        match self.get_mut(id) {
            Some(old) => *old = value,
            None => self.0.push((id, value)),
        }
    }

    /// Takes the value of a number out.
    pub fn remove(&mut self, id: u32) -> Option<T> {
        let at = self.0.iter().position(|(i, _)| *i == id)?;
        Some(self.0.remove(at).1)
    }

    /// Numbers and values.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.0.iter().map(|(id, value)| (*id, value))
    }

    /// Numbers and values, to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (u32, &mut T)> {
        self.0.iter_mut().map(|(id, value)| (*id, value))
    }

    /// The values, to change.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::ById;

    #[test]
    fn values_are_found_replaced_and_removed() {
        let mut map = ById::default();
        map.insert(3, "a");
        map.insert(1, "b");
        map.insert(3, "c");
        assert_eq!(map.iter().collect::<Vec<_>>(), [(3, &"c"), (1, &"b")]);
        assert_eq!((map.remove(3), map.get(3), map.get(1)), (Some("c"), None, Some(&"b")));
    }
}
