//! How much work it can be to check arguments against a schema that came at run time.
//!
//! A schema of a few lines can make a validator visit one value more often than there are atoms:
//! two branches of an `anyOf` that both go a level deeper double the visits at each level. What
//! this can come to is computed when the schema comes, from its graph of subschemas.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value};

/// The longest way through a schema's subschemas and references that doesn't come back to itself.
const MOST_STEPS_DOWN: usize = 256;
/// The most visits of subschemas that one value may need.
const MOST_VISITS: u64 = 10_000;
/// The most visits that a call's arguments may need to be found good or bad: well under a second.
const MOST_VISITS_TO_CHECK: u64 = 4_000_000;
/// The most visits to find what is wrong, which builds an error for each branch that fails.
const MOST_VISITS_TO_EXPLAIN: u64 = 50_000;
/// Arguments that are JSON have no more levels: serde_json refuses them.
const MOST_LEVELS: usize = 128;

/// What checking against one schema can cost, in visits of subschemas.
#[derive(Debug)]
pub(super) struct SchemaWork {
    /// For one value, when what was found out of a value and a recursive reference is kept, as
    /// `Validator::is_valid` does.
    to_check: u64,
    /// For one value at the end of so many levels, when nothing is kept, as in `validate`; as far
    /// as it can be afforded.
    to_explain: Vec<u64>,
}

/// The size of a call's arguments.
#[derive(Debug)]
pub(super) struct Size<'v> {
    values: u64,
    levels: usize,
    /// The names and positions that lead to the deepest value.
    pub(super) deepest: Vec<Step<'v>>,
}

/// One step into a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'v> {
    Name(&'v str),
    Position(usize),
}

impl SchemaWork {
    /// Fails, in words, when the schema can be too much work.
    pub(super) fn of(schema: &Value) -> Result<Self, String> {
        let graph = Graph::of(schema)?;
        let mut heights = vec![None; graph.nodes.len()];
        graph.height(0, MOST_STEPS_DOWN, &mut heights)?;
        let flat = graph.flattened()?;
        let mut checking = Checking {
            flat: &flat,
            costs: vec![None; graph.nodes.len()],
            open: vec![false; graph.nodes.len()],
            recursive: BTreeSet::new(),
        };
        let mut to_check = checking.cost(0);
        let recursive = std::mem::take(&mut checking.recursive);
        for node in recursive {
            to_check = to_check.saturating_add(checking.costs[node].unwrap_or(1));
        }
        if to_check > MOST_VISITS {
            return Err(format!(
                "the schema can need more than {MOST_VISITS} steps to check one value, since its references lead to the same places in many ways: let each branch of an `anyOf`, `oneOf` or `allOf` refer to something of its own"
            ));
        }
        Ok(Self {
            to_check,
            to_explain: explained(&flat),
        })
    }

    /// Whether it can be said at all whether arguments of this size fit.
    pub(super) fn can_check(&self, size: &Size<'_>) -> bool {
        size.values.saturating_mul(self.to_check) <= MOST_VISITS_TO_CHECK
    }

    /// Whether it can be said what is wrong with arguments of this size.
    pub(super) fn can_explain(&self, size: &Size<'_>) -> bool {
        self.to_explain
            .get(size.levels)
            .is_some_and(|visits| size.values.saturating_mul(*visits) <= MOST_VISITS_TO_EXPLAIN)
    }
}

/// The visits of a value at the end of 0, 1, 2, … levels, until there are too many.
fn explained(flat: &BTreeMap<usize, Flat<'_>>) -> Vec<u64> {
    let mut by_level = Vec::new();
    let mut above: HashMap<usize, u64> = HashMap::new();
    while by_level.len() <= MOST_LEVELS {
        let costs: HashMap<usize, u64> = flat
            .iter()
            .map(|(node, flat)| {
                (
                    *node,
                    flat.worst(|below| above.get(&below).copied().unwrap_or(0)),
                )
            })
            .collect();
        let root = costs.get(&0).copied().unwrap_or(0);
        if root > MOST_VISITS_TO_EXPLAIN {
            break;
        }
        by_level.push(root);
        if costs == above {
            // No way leads deeper.
            by_level.resize(MOST_LEVELS + 1, root);
            break;
        }
        above = costs;
    }
    by_level
}

impl<'v> Size<'v> {
    /// Of a value that serde_json read, and so is of bounded depth.
    pub(super) fn of(value: &'v Value) -> Self {
        let mut size = Self {
            values: 0,
            levels: 0,
            deepest: Vec::new(),
        };
        size.add(value, &mut Vec::new());
        size
    }

    fn add(&mut self, value: &'v Value, at: &mut Vec<Step<'v>>) {
        self.values += 1;
        if at.len() > self.levels {
            self.levels = at.len();
            self.deepest.clone_from(at);
        }
        let mut below = |step, inner| {
            at.push(step);
            self.add(inner, at);
            at.pop();
        };
        match value {
            Value::Array(items) => {
                for (position, item) in items.iter().enumerate() {
                    below(Step::Position(position), item);
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    below(Step::Name(name), member);
                }
            }
            _ => {}
        }
    }

    pub(super) fn levels(&self) -> usize {
        self.levels
    }

    pub(super) fn values(&self) -> u64 {
        self.values
    }
}

/// The `properties` whose names an `additionalProperties` leaves out.
type Except<'s> = Option<&'s Map<String, Value>>;

/// A subschema, and where it leads.
#[derive(Default)]
struct Node<'s> {
    /// What a value is compared with: each is a visit.
    constants: u64,
    /// To what is checked of the same value.
    in_place: Vec<usize>,
    /// To what is checked of the property of this name.
    named: Vec<(&'s str, usize)>,
    /// To what is checked of any property, except those of these names.
    properties: Vec<(usize, Except<'s>)>,
    /// To what is checked of the item in this position.
    placed: Vec<(usize, usize)>,
    /// To what is checked of any item.
    items: Vec<usize>,
}

struct Graph<'s> {
    /// The first is the root.
    nodes: Vec<Node<'s>>,
}

impl<'s> Graph<'s> {
    fn of(root: &'s Value) -> Result<Self, String> {
        let mut builder = Builder {
            root,
            anchors: HashMap::new(),
            known: HashMap::new(),
            todo: Vec::new(),
        };
        builder.find_anchors(root)?;
        builder.node(root);
        let mut nodes = Vec::new();
        while let Some(schema) = builder.todo.get(nodes.len()).copied() {
            nodes.push(builder.read(schema)?);
        }
        Ok(Self { nodes })
    }

    /// The longest way down from a node; one that comes back to itself ends there.
    fn height(
        &self,
        node: usize,
        most: usize,
        heights: &mut Vec<Option<usize>>,
    ) -> Result<usize, String> {
        let too_long = || {
            format!(
                "the schema leads through more than {MOST_STEPS_DOWN} subschemas and references in a row"
            )
        };
        if let Some(height) = heights[node] {
            return if height > most {
                Err(too_long())
            } else {
                Ok(height)
            };
        }
        let below = most.checked_sub(1).ok_or_else(too_long)?;
        heights[node] = Some(0);
        let Node {
            constants: _,
            in_place,
            named,
            properties,
            placed,
            items,
        } = &self.nodes[node];
        let next = in_place.iter().chain(items).copied();
        let next = next.chain(named.iter().map(|(_, to)| *to));
        let next = next.chain(properties.iter().map(|(to, _)| *to));
        let next = next.chain(placed.iter().map(|(_, to)| *to));
        let mut height = 0;
        for to in next {
            height = height.max(self.height(to, below, heights)? + 1);
        }
        heights[node] = Some(height);
        Ok(height)
    }

    /// Each subschema that begins a level, with all that is checked in its place.
    fn flattened(&self) -> Result<BTreeMap<usize, Flat<'s>>, String> {
        let mut order = Vec::new();
        let mut states = vec![State::New; self.nodes.len()];
        for node in 0..self.nodes.len() {
            self.sort(node, &mut states, &mut order)?;
        }
        let position: HashMap<usize, usize> = order.iter().copied().zip(0..).collect();
        let mut starts: BTreeSet<usize> = BTreeSet::from([0]);
        for node in &self.nodes {
            starts.extend(node.named.iter().map(|(_, to)| *to));
            starts.extend(node.properties.iter().map(|(to, _)| *to));
            starts.extend(node.placed.iter().map(|(_, to)| *to));
            starts.extend(&node.items);
        }
        Ok(starts
            .into_iter()
            .map(|start| (start, self.flat(start, &position)))
            .collect())
    }

    /// Puts what is in place of a node before it; `height` has bounded the way.
    fn sort(
        &self,
        node: usize,
        states: &mut [State],
        order: &mut Vec<usize>,
    ) -> Result<(), String> {
        match states[node] {
            State::Done => return Ok(()),
            State::Open => {
                return Err(
                    "the schema refers to itself without going a level deeper: no value ends that"
                        .to_owned(),
                );
            }
            State::New => states[node] = State::Open,
        }
        for to in &self.nodes[node].in_place {
            self.sort(*to, states, order)?;
        }
        states[node] = State::Done;
        order.push(node);
        Ok(())
    }

    fn flat(&self, start: usize, position: &HashMap<usize, usize>) -> Flat<'s> {
        let mut flat = Flat::default();
        // Those that come later in the order lead to those that come earlier.
        let mut waiting = BTreeMap::from([(position[&start], (start, 1_u64))]);
        while let Some((_, (node, times))) = waiting.pop_last() {
            let node = &self.nodes[node];
            let visits = times.saturating_mul(1 + node.constants);
            flat.visits = flat.visits.saturating_add(visits);
            for to in &node.in_place {
                let (_, known) = waiting.entry(position[to]).or_insert((*to, 0));
                *known = known.saturating_add(times);
            }
            for (name, to) in &node.named {
                flat.named.entry(name).or_default().push((*to, times));
            }
            for (to, except) in &node.properties {
                flat.properties.push((*to, times, *except));
            }
            for (place, to) in &node.placed {
                flat.placed.entry(*place).or_default().push((*to, times));
            }
            flat.items.extend(node.items.iter().map(|to| (*to, times)));
        }
        flat
    }
}

#[derive(Clone, Copy)]
enum State {
    New,
    Open,
    Done,
}

/// All that is checked of one value, and of what is a level deeper in it: to which subschema it
/// goes, and how often.
#[derive(Default)]
struct Flat<'s> {
    visits: u64,
    named: BTreeMap<&'s str, Vec<(usize, u64)>>,
    properties: Vec<(usize, u64, Except<'s>)>,
    placed: BTreeMap<usize, Vec<(usize, u64)>>,
    items: Vec<(usize, u64)>,
}

impl Flat<'_> {
    /// The visits of a value and of the worst that can be in it, one value on each level.
    fn worst(&self, mut cost: impl FnMut(usize) -> u64) -> u64 {
        let mut sum = |targets: &mut dyn Iterator<Item = (usize, u64)>| {
            targets.fold(0_u64, |sum, (to, times)| {
                sum.saturating_add(cost(to).saturating_mul(times))
            })
        };
        let items = sum(&mut self.items.iter().copied());
        let placed = self
            .placed
            .values()
            .map(|targets| sum(&mut targets.iter().copied()))
            .max()
            .unwrap_or(0);
        let others = sum(&mut self.properties.iter().map(|(to, times, _)| (*to, *times)));
        let named = self
            .named
            .iter()
            .map(|(name, targets)| {
                let also = self.properties.iter().filter(|(_, _, except)| {
                    except.is_none_or(|except| !except.contains_key(*name))
                });
                let also = also.map(|(to, times, _)| (*to, *times));
                sum(&mut targets.iter().copied().chain(also))
            })
            .max()
            .unwrap_or(0);
        self.visits
            .saturating_add(items.saturating_add(placed).max(named.max(others)))
    }
}

/// The visits of one value where each recursive reference is followed once.
struct Checking<'f, 's> {
    flat: &'f BTreeMap<usize, Flat<'s>>,
    costs: Vec<Option<u64>>,
    open: Vec<bool>,
    recursive: BTreeSet<usize>,
}

impl Checking<'_, '_> {
    fn cost(&mut self, node: usize) -> u64 {
        if let Some(cost) = self.costs[node] {
            return cost;
        }
        if self.open[node] {
            self.recursive.insert(node);
            return 1;
        }
        let Some(flat) = self.flat.get(&node) else {
            return 1;
        };
        self.open[node] = true;
        let cost = flat.worst(|below| self.cost(below));
        self.open[node] = false;
        self.costs[node] = Some(cost);
        cost
    }
}

struct Builder<'s> {
    root: &'s Value,
    anchors: HashMap<&'s str, Vec<&'s Value>>,
    /// By their place in memory: a schema is where it is, whatever it says.
    known: HashMap<*const Value, usize>,
    todo: Vec<&'s Value>,
}

impl<'s> Builder<'s> {
    fn find_anchors(&mut self, value: &'s Value) -> Result<(), String> {
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.find_anchors(item)),
            Value::Object(members) => {
                if members.get("$id").is_some_and(Value::is_string)
                    && !std::ptr::eq(value, self.root)
                {
                    return Err("a schema within the schema has an `$id`: put it under `$defs`, and refer to it as `#/$defs/…`".to_owned());
                }
                for word in ["$anchor", "$dynamicAnchor"] {
                    if let Some(Value::String(name)) = members.get(word) {
                        self.anchors.entry(name).or_default().push(value);
                    }
                }
                members
                    .values()
                    .try_for_each(|member| self.find_anchors(member))
            }
            _ => Ok(()),
        }
    }

    fn node(&mut self, schema: &'s Value) -> usize {
        let next = self.todo.len();
        let todo = &mut self.todo;
        *self
            .known
            .entry(std::ptr::from_ref(schema))
            .or_insert_with(|| {
                todo.push(schema);
                next
            })
    }

    fn read(&mut self, schema: &'s Value) -> Result<Node<'s>, String> {
        let mut node = Node::default();
        let Value::Object(words) = schema else {
            return Ok(node);
        };
        for (word, value) in words {
            match (word.as_str(), value) {
                ("enum", Value::Array(constants)) => node.constants = constants.len() as u64,
                ("$ref" | "$dynamicRef", Value::String(reference)) => {
                    for target in self.resolve(reference)? {
                        node.in_place.push(self.node(target));
                    }
                }
                ("allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                    node.in_place
                        .extend(schemas.iter().map(|schema| self.node(schema)));
                }
                ("not" | "if" | "then" | "else", schema) => node.in_place.push(self.node(schema)),
                ("dependentSchemas" | "dependencies", Value::Object(schemas)) => {
                    node.in_place
                        .extend(schemas.values().map(|schema| self.node(schema)));
                }
                ("properties", Value::Object(schemas)) => {
                    for (name, schema) in schemas {
                        node.named.push((name, self.node(schema)));
                    }
                }
                ("patternProperties", Value::Object(schemas)) => {
                    for schema in schemas.values() {
                        node.properties.push((self.node(schema), None));
                    }
                }
                ("additionalProperties", schema) => {
                    let except = words.get("properties").and_then(Value::as_object);
                    node.properties.push((self.node(schema), except));
                }
                ("unevaluatedProperties" | "propertyNames", schema) => {
                    node.properties.push((self.node(schema), None));
                }
                ("prefixItems" | "items", Value::Array(schemas)) => {
                    for (place, schema) in schemas.iter().enumerate() {
                        node.placed.push((place, self.node(schema)));
                    }
                }
                ("items" | "additionalItems" | "contains" | "unevaluatedItems", schema) => {
                    node.items.push(self.node(schema));
                }
                _ => {}
            }
        }
        Ok(node)
    }

    /// What a reference may lead to.
    fn resolve(&self, reference: &str) -> Result<Vec<&'s Value>, String> {
        let own = self.root.get("$id").and_then(Value::as_str);
        let fragment = own
            .and_then(|own| reference.strip_prefix(own.trim_end_matches('#')))
            .unwrap_or(reference);
        let found = match fragment.strip_prefix('#') {
            None if fragment.is_empty() => vec![self.root],
            None => Vec::new(),
            Some("") => vec![self.root],
            Some(pointer) if pointer.starts_with('/') => {
                let pointer = percent_decoded(pointer);
                self.root.pointer(&pointer).into_iter().collect()
            }
            Some(anchor) => self.anchors.get(anchor).cloned().unwrap_or_default(),
        };
        if found.is_empty() {
            return Err(format!(
                "not a JSON Schema that stands alone: `{reference}` leads nowhere in it; refer to a part of the schema, as in `#/$defs/name`"
            ));
        }
        Ok(found)
    }
}

/// A fragment of an address as the text that it stands for.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let code = behind
            .get(..2)
            .filter(|_| *first == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
