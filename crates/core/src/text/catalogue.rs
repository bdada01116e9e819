//! The table macro: a key, its English and its Korean, side by side, so that none can be missing.

macro_rules! messages {
    ($(#[$doc:meta])* $name:ident { $($key:ident: $en:literal, $ko:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $(#[doc = concat!("The message `", stringify!($key), "`.")] $key,)* }

        impl $name {
            /// Every message.
            pub const ALL: &'static [$name] = &[$($name::$key,)*];

            /// The text in a language.
            pub fn get(self, lang: $crate::text::Lang) -> &'static str {
                match (self, lang) {
                    $(
                        ($name::$key, $crate::text::Lang::En) => $en,
                        ($name::$key, $crate::text::Lang::Ko) => $ko,
                    )*
                }
            }
        }

        #[cfg(test)]
        mod both_languages {
            #[test]
            fn fill_the_same_places() {
                use $crate::text::{Lang, fill_in_tests::places};
                for key in super::$name::ALL {
                    let (en, ko) = (key.get(Lang::En), key.get(Lang::Ko));
                    assert_eq!(places(en), places(ko), "{en} / {ko}");
                    assert!(!en.is_empty() && !ko.is_empty());
                }
            }
        }
    };
}

pub(super) use messages;
