//! Where the members of a record lie: GCC's algorithm (`stor-layout.cc`: `layout_decl`,
//! `update_alignment_for_field`, `place_field`) for targets where the type of a bit-field matters.
//!
//! Numbers are bits here unless their name says otherwise.

/// A member, as far as its place depends on it. Alignments are in bytes.
#[derive(Clone, Debug)]
pub struct Item {
    /// Size of the declared type in bytes; 0 for a flexible array.
    pub size: u64,
    /// A flexible array.
    pub open: bool,
    pub bits: Option<Bits>,
    /// Alignment of the declared type by itself.
    pub type_align: u64,
    /// That alignment is the user's.
    pub user_type_align: bool,
    /// `packed`, on the member or on the record.
    pub packed: bool,
    /// The member's own attribute `aligned`.
    pub own_align: Option<u64>,
    /// What the ABI aligns such a type to inside records, at most.
    pub field_cap: u64,
}

#[derive(Clone, Debug)]
pub struct Bits {
    pub width: u64,
    pub named: bool,
    /// Width of the largest integer type of the target.
    pub largest_integer: u64,
}

/// How a record is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub union: bool,
    /// `#pragma pack`, in bytes.
    pub pack: Option<u64>,
    /// Bit-fields as Microsoft's compiler places them.
    pub microsoft: bool,
}

/// A record under construction.
#[derive(Debug)]
pub struct Placement {
    rules: Rules,
    /// Where the next member may go.
    bit: u128,
    /// Of a union: the largest member so far, in bytes.
    largest: u128,
    /// Of the record, in bits.
    align: u64,
    user_align: bool,
    run: Option<Run>,
    /// Bits of the current unit that are not used yet (Microsoft).
    remaining: u128,
}

/// The bit-field before, if its unit may be shared (Microsoft).
#[derive(Clone, Copy, Debug)]
struct Run {
    width: u64,
    type_size: u128,
}

/// A member's alignment, in bits, and whether the user asked for it.
#[derive(Clone, Copy, Debug)]
struct Desired {
    align: u64,
    user: bool,
    /// A bit-field that is as wide as an integer and lies where that may lie is an ordinary member.
    is_bit_field: bool,
}

const BYTE: u64 = 8;
/// `BIGGEST_ALIGNMENT` of the target.
const BIGGEST: u64 = crate::types_align::BIGGEST_ALIGNMENT * BYTE;

impl Item {
    fn is_zero_width(&self) -> bool {
        self.bits.as_ref().is_some_and(|bits| bits.width == 0)
    }

    /// Of large types these are more than 64 bits can count.
    fn type_bits(&self) -> u128 {
        u128::from(self.size) * u128::from(BYTE)
    }

    fn type_align_bits(&self) -> u64 {
        self.type_align * BYTE
    }

    /// The alignment of the type inside records.
    fn adjusted_type_align(&self) -> u64 {
        let align = self.type_align_bits();
        if self.user_type_align { align } else { align.min(self.field_cap.saturating_mul(BYTE)) }
    }

    /// The size that it takes.
    fn bits_taken(&self) -> u128 {
        self.bits.as_ref().map_or(self.type_bits(), |bits| u128::from(bits.width))
    }

    /// What the member would like to be aligned to, if at least `known` holds anyway (0: any).
    fn desired(&self, known: u64, rules: Rules) -> Desired {
        let own = self.own_align.map(|align| align * BYTE);
        let mut desired =
            Desired { align: own.unwrap_or(1), user: own.is_some(), is_bit_field: false };
        // A zero-width bit-field aligns what follows, and is not influenced by packing.
        let zero = self.is_zero_width() && !rules.microsoft;
        let packed = self.packed && !zero;
        match &self.bits {
            Some(_) if zero => {
                desired.is_bit_field = true;
                self.raise_to_type(&mut desired);
            }
            Some(bits) => {
                desired.is_bit_field = true;
                self.take_integer_mode(bits, known, &mut desired);
            }
            None if packed && desired.user => {}
            None => self.raise_to_type(&mut desired),
        }
        if packed && own.is_none() {
            desired.align = desired.align.min(BYTE);
        }
        if !packed && !desired.user {
            desired.align = desired.align.min(self.field_cap.saturating_mul(BYTE));
        }
        if let (false, Some(pack)) = (zero, rules.pack) {
            desired.align = desired.align.min(pack * BYTE);
        }
        desired
    }

    fn raise_to_type(&self, desired: &mut Desired) {
        if self.type_align_bits() > desired.align {
            desired.align = self.type_align_bits();
            desired.user = self.user_type_align;
        }
    }

    /// A bit-field of the width of an integer, where that integer could lie, is one.
    fn take_integer_mode(&self, bits: &Bits, known: u64, desired: &mut Desired) {
        let is_integer = matches!(bits.width, 8 | 16 | 32 | 64 | 128);
        if !is_integer || bits.width > bits.largest_integer {
            return;
        }
        let align = bits.width;
        let fits = known == 0 || known >= align;
        if fits && !(self.packed && align > BYTE) {
            desired.align = desired.align.max(align);
            desired.is_bit_field = false;
        }
    }
}

impl Placement {
    /// An empty record; `align` is its own attribute, in bytes.
    pub fn new(rules: Rules, align: Option<u64>) -> Placement {
        Placement {
            rules,
            bit: 0,
            largest: 0,
            align: align.unwrap_or(1) * BYTE,
            user_align: align.is_some(),
            run: None,
            remaining: 0,
        }
    }

    /// Size and alignment of the record, in bytes.
    pub fn finish(&self) -> (u128, u64) {
        let bytes = if self.rules.union { self.largest } else { self.bit.div_ceil(8) };
        let align = self.align / BYTE;
        (bytes.next_multiple_of(u128::from(align)), align)
    }

    pub fn has_user_align(&self) -> bool {
        self.user_align
    }

    /// Places a member and returns where it begins.
    pub fn place(&mut self, item: &Item, last: bool) -> u128 {
        if self.rules.union {
            self.align_record(item, 0);
            self.largest = self.largest.max(item.bits_taken().div_ceil(u128::from(BYTE)));
            return 0;
        }
        // The alignment that the place has by chance.
        let known = match self.bit {
            0 => 0,
            bit => 1u64 << bit.trailing_zeros().min(62),
        };
        let desired = self.align_record(item, known);
        let known = if known == 0 { self.align.max(BIGGEST) } else { known };
        if known < desired.align && !(self.rules.microsoft && self.run.is_some()) {
            self.round_up(desired.align);
        }
        if self.rules.microsoft {
            self.place_in_run(item, known, desired.align);
        } else {
            self.avoid_crossing(item, desired);
        }
        let at = self.bit;
        if self.rules.microsoft && self.run.is_none() {
            self.run = run_of(item);
        }
        if !item.open {
            self.bit += item.bits_taken();
            if self.rules.microsoft && last && item.bits.is_some() && !item.is_zero_width() {
                self.bit += self.remaining;
            }
        }
        at
    }

    fn round_up(&mut self, align: u64) {
        self.bit = self.bit.next_multiple_of(u128::from(align));
    }

    fn pack_bits(&self) -> Option<u64> {
        self.rules.pack.map(|pack| pack * BYTE)
    }

    fn capped(&self, align: u64) -> u64 {
        self.pack_bits().map_or(align, |pack| align.min(pack))
    }

    /// The record is aligned as its members are.
    fn align_record(&mut self, item: &Item, known: u64) -> Desired {
        let desired = item.desired(known, self.rules);
        let mut user = desired.user;
        let is_bit_field = item.bits.is_some() && item.size > 0;
        if self.rules.microsoft {
            self.align_microsoft(item, desired.align);
        } else if !is_bit_field {
            self.align = self.align.max(desired.align);
        } else if item.bits.as_ref().is_some_and(|bits| bits.named) {
            let mut align = item.adjusted_type_align();
            match self.pack_bits() {
                Some(pack) => align = align.min(pack),
                None if item.packed => align = align.min(BYTE),
                None => {}
            }
            self.align = self.align.max(desired.align).max(align);
            user |= item.user_type_align;
        }
        self.user_align |= user;
        desired
    }

    fn align_microsoft(&mut self, item: &Item, desired: u64) {
        let counts = match &item.bits {
            None => true,
            Some(bits) if bits.width > 0 => !item.packed,
            Some(_) => self.run.is_some_and(|run| run.width > 0),
        };
        if !counts {
            return;
        }
        let align = match item.bits.is_none() && item.packed {
            true => desired,
            false => item.type_align_bits().max(desired),
        };
        self.align = self.align.max(self.capped(align));
    }

    /// A bit-field does not span more units of its type's alignment than its type does.
    fn avoid_crossing(&mut self, item: &Item, desired: Desired) {
        if !desired.is_bit_field || item.is_zero_width() || self.rules.pack.is_some() {
            return;
        }
        if item.packed {
            return;
        }
        let align = item.adjusted_type_align();
        let width = item.bits_taken();
        let units = (self.bit % u128::from(align) + width).div_ceil(u128::from(align));
        if units > item.type_bits() / u128::from(align) {
            self.round_up(align);
        }
        self.user_align |= item.user_type_align;
    }

    /// Microsoft's rule: adjacent bit-fields of types of one size share units of that size.
    fn place_in_run(&mut self, item: &Item, known: u64, desired: u64) {
        let field = run_of(item);
        let mut before = self.run;
        if let Some(run) = self.run {
            let mut realign = known < desired;
            let width = item.bits_taken();
            let continues =
                field.is_some_and(|f| f.width > 0 && run.width > 0 && f.type_size == run.type_size);
            if continues && self.remaining >= width {
                self.remaining -= width;
                realign = false;
            } else if continues {
                self.bit += self.remaining;
                self.run = field;
                self.remaining = item.type_bits().saturating_sub(width);
            } else {
                if run.width > 0 {
                    self.bit += self.remaining;
                } else {
                    before = None;
                }
                if field.is_none_or(|f| f.width == 0) {
                    self.run = None;
                }
            }
            if realign {
                self.round_up(desired);
            }
        }
        let begins = match (field, before) {
            (None, _) => true,
            (Some(f), Some(run)) => f.type_size != run.type_size,
            (Some(f), None) => f.width > 0,
        };
        if begins {
            self.begin_run(item);
        }
    }

    fn begin_run(&mut self, item: &Item) {
        if !item.open {
            self.remaining = item.type_bits().saturating_sub(item.bits_taken());
        }
        let align = if item.packed { BYTE } else { item.type_align_bits().max(BYTE) };
        let align = self.capped(align);
        self.round_up(align);
        self.run = None;
    }
}

fn run_of(item: &Item) -> Option<Run> {
    item.bits.as_ref().map(|bits| Run { width: bits.width, type_size: item.type_bits() })
}
