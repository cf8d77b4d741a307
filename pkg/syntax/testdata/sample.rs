//! Berths of a harbour.

#![allow(dead_code)]

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Display};

/// The deepest ship, in metres.
pub const MAX_DRAUGHT: u32 = 12;
static mut COUNTER: usize = 0;

pub type Log = Vec<Entry>;

/// One line of the log.
///
/// It never changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Who came.
    pub ship: String,
    draught: u32,
    tags: Vec<&'static str>,
}

pub struct Pair(pub u32, String);

struct Unit;

#[repr(u8)]
pub enum State {
    Free,
    Taken { by: String, since: u64 },
    Closed(u32),
    Broken = 9,
}

union Word {
    int: u32,
    float: f32,
}

pub trait Pilot: Display {
    type Fee;
    const RATE: u32 = 1;

    fn guide(&self, ship: &str) -> Self::Fee;

    fn rest(&mut self) {}
}

pub struct Berth<'a, T>
where
    T: Pilot,
{
    pilot: &'a T,
    log: Log,
}

impl<'a, T> Berth<'a, T>
where
    T: Pilot,
{
    pub const SIZE: usize = 3;

    /// Makes one.
    pub fn new(pilot: &'a T) -> Self {
        Berth { pilot, log: Vec::new() }
    }

    #[inline]
    #[must_use = "a berth may refuse"]
    pub async fn assign(&mut self, ship: &str, draught: u32) -> Result<(), Error> {
        let half = |n: u32| n / 2;
        if draught > MAX_DRAUGHT {
            return Err(Error::Depth(half(draught)));
        }
        match self.log.len() {
            0 => {}
            n if n > 3 => return Ok(()),
            _ => {
                println!("{} is next", ship);
            }
        }
        self.log.push(Entry { ship: ship.to_string(), draught, tags: vec!["new"] });
        Ok(())
    }
}

impl<'a, T: Pilot> Display for Berth<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "berth {}", self.log.len())
    }
}

impl Pilot for Unit {
    type Fee = u32;

    fn guide(&self, _ship: &str) -> u32 {
        loop {
            break 1;
        }
    }
}

impl From<Pair> for Entry {
    fn from(p: Pair) -> Self {
        Entry { ship: p.1, draught: p.0, tags: vec![] }
    }
}

impl fmt::Debug for &Unit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Ok(())
    }
}

pub mod tide {
    use super::*;

    pub fn height(at: u64) -> i32 {
        (at % 12) as i32
    }

    pub(crate) mod moon {
        pub struct Phase(pub u8);
    }
}

macro_rules! berth {
    ($n:expr) => {
        Berth::new(&$n)
    };
}

extern "C" {
    fn tide_now() -> i32;
}

unsafe extern "C" fn callback(code: i32) -> i32 {
    COUNTER += 1;
    code
}

fn main() {
    struct Local;
    const HIDDEN: u32 = 1;
    let map: HashMap<_, _> = [(1, "a")].into_iter().collect();
    for (k, v) in &map {
        println!("{k}: {v}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_deep_ships() {
        assert_eq!(tide::height(12), 0);
    }
}
