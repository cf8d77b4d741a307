//! Keeps the stock of a warehouse.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Display};
use std::sync::Arc;

pub const MAX_PALLETS: usize = 900;
const ZONES: [&str; 3] = ["north", "south", "cold"];
static mut COUNTER: u64 = 0;
pub(crate) static GREETING: &str = "welcome";

pub type Sku = u32;
type Shared<T> = Arc<T>;

/// How a thing is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Storage {
    Ambient,
    /// Between two and seven degrees.
    Chilled { celsius: i8 },
    Frozen(i8),
    #[deprecated]
    Outside = 9,
}

/// One article.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Article {
    pub sku: Sku,
    #[allow(dead_code)]
    name: String,
    pub(crate) storage: Storage,
}

pub struct Metres(pub f64, f64);

#[derive(Default)]
pub struct Marker;

pub union Code {
    number: u64,
    bytes: [u8; 8],
}

pub trait Keeper<T = Article> {
    const LIMIT: usize = 10;
    type Error: Display;
    type Iter<'a>: Iterator<Item = &'a T>
    where
        Self: 'a;

    fn put(&mut self, thing: T) -> Result<(), Self::Error>;

    /// Takes one out.
    fn take(&mut self, sku: Sku) -> Option<T> {
        let _ = sku;
        None
    }

    async fn flush(&self);
}

#[derive(Debug)]
pub enum StockError {
    Full { zone: usize },
    Unknown(Sku),
}

impl Display for StockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StockError::Full { zone } => write!(f, "zone {} is full", ZONES[*zone]),
            Self::Unknown(sku) if *sku > 0 => write!(f, "no article {sku}"),
            _ => f.write_str("no article"),
        }
    }
}

impl std::error::Error for StockError {}

pub struct Warehouse<'a, T> {
    zones: Vec<Vec<T>>,
    index: HashMap<Sku, (usize, usize)>,
    owner: &'a str,
}

impl<'a, T: Clone> Warehouse<'a, T> {
    pub const ROWS: usize = 4;

    /// Makes an empty one.
    #[must_use]
    pub fn new(owner: &'a str) -> Self {
        Self { zones: vec![Vec::new(); ZONES.len()], index: HashMap::new(), owner }
    }

    pub fn len(&self) -> usize {
        self.zones.iter().map(|zone| zone.len()).sum()
    }

    pub(crate) fn find<F>(&self, wanted: F) -> Option<&T>
    where
        F: Fn(&T) -> bool,
    {
        fn first<U>(mut list: impl Iterator<Item = U>) -> Option<U> {
            list.next()
        }
        first(self.zones.iter().flatten().filter(|thing| wanted(thing)))
    }

    pub async fn audit(&self, deep: bool) -> Result<u32, StockError> {
        let mut missing = 0;
        'zones: for (n, zone) in self.zones.iter().enumerate() {
            if zone.is_empty() && !deep {
                continue 'zones;
            }
            for _ in 0..=zone.len() {
                missing += (n as u32) << 1;
            }
        }
        if missing >= 10 { Err(StockError::Full { zone: 0 }) } else { Ok(missing) }
    }

    unsafe fn bump() -> u64 {
        COUNTER += 1;
        COUNTER
    }
}

impl Keeper for Warehouse<'_, Article> {
    const LIMIT: usize = MAX_PALLETS;
    type Error = StockError;
    type Iter<'b> = std::slice::Iter<'b, Article> where Self: 'b;

    fn put(&mut self, thing: Article) -> Result<(), StockError> {
        let zone = match thing.storage {
            Storage::Ambient | Storage::Outside => 0,
            Storage::Chilled { celsius } if celsius > 4 => 1,
            Storage::Chilled { .. } | Storage::Frozen(_) => 2,
        };
        let place = self.zones.get_mut(zone).ok_or(StockError::Full { zone })?;
        if place.len() >= Self::LIMIT {
            return Err(StockError::Full { zone });
        }
        self.index.insert(thing.sku, (zone, place.len()));
        place.push(thing);
        Ok(())
    }

    async fn flush(&self) {}
}

impl Drop for Code {
    fn drop(&mut self) {}
}

impl<T> From<Vec<T>> for Metres {
    fn from(list: Vec<T>) -> Self {
        Metres(list.len() as f64, 0.0)
    }
}

impl Storage {
    pub fn celsius(self) -> i8 {
        const ROOM: i8 = 18;
        let cold = |n: i8| -> i8 { -n.abs() };
        match self {
            Storage::Frozen(n) => cold(n),
            Storage::Chilled { celsius } => celsius,
            _ => ROOM,
        }
    }
}

pub mod picking {
    use super::*;

    pub const BATCH: usize = 12;

    #[derive(Clone)]
    pub struct List {
        pub(super) lines: BTreeMap<Sku, u16>,
    }

    impl List {
        pub fn add(&mut self, sku: Sku, count: u16) -> &mut Self {
            *self.lines.entry(sku).or_insert(0) += count;
            self
        }
    }

    pub mod route {
        pub fn length(stops: &[f64]) -> f64 {
            stops.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum()
        }
    }
}

macro_rules! sku {
    ($n:expr) => {
        $n as Sku
    };
    ($a:expr, $b:expr) => {
        sku!($a * 1000 + $b)
    };
}

extern "C" {
    fn scale_read(port: i32) -> f64;
    static scale_version: i32;
}

pub extern "C" fn warehouse_len(n: usize) -> usize {
    n.min(MAX_PALLETS)
}

#[cfg(unix)]
fn host() -> String {
    "unix".to_string()
}

#[cfg(not(unix))]
fn host() -> String {
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        let house: Warehouse<Article> = Warehouse::new("me");
        assert_eq!(house.len(), 0, "{}", sku!(1, 2));
    }
}
