//! The one checker: from a tree to a snapshot, or to every fault in it.

use std::collections::{BTreeMap, BTreeSet};

use super::fault::CatalogFaults;
use super::node::Node;
use super::{
    Capabilities, Capability, CatalogSnapshot, Date, Limits, MAX_ALIASES, MAX_DOCUMENT_BYTES,
    MAX_LIMIT, MAX_MODELS, MAX_PRICE, MAX_SOURCES, MAX_TEXT_BYTES, MAX_TIERS, Mode, ModelRecord,
    Part, Prices, Provenance, Rate, SCHEMA_VERSION, ServiceTier, Support,
};

/// Reads and checks a document.
pub(crate) fn parse(text: &str) -> Result<CatalogSnapshot, CatalogFaults> {
    let mut faults = CatalogFaults::new();
    if text.len() > MAX_DOCUMENT_BYTES {
        let size = text.len();
        faults.push(
            None,
            "document",
            format!("has {size} bytes; {MAX_DOCUMENT_BYTES} is the most that is read"),
        );
        return faults.or(CatalogSnapshot::empty());
    }
    match Node::from_json(text) {
        Ok(node) => check(&node),
        Err(error) => {
            faults.push(None, "document", format!("is not JSON: {error}"));
            faults.or(CatalogSnapshot::empty())
        }
    }
}

/// Checks a document.
pub(crate) fn check(document: &Node) -> Result<CatalogSnapshot, CatalogFaults> {
    let mut faults = CatalogFaults::new();
    let snapshot = document_of(document, &mut faults);
    faults.or(snapshot)
}

fn document_of(document: &Node, faults: &mut CatalogFaults) -> CatalogSnapshot {
    let mut snapshot = CatalogSnapshot::empty();
    let mut at = At {
        entry: None,
        path: String::new(),
        faults,
    };
    let Some(fields) = at.fields(document, "document") else {
        return snapshot;
    };
    at.only(
        fields,
        &["schema_version", "snapshot_id", "provenance", "models"],
    );
    match at.required(fields, "schema_version") {
        Some(Node::Whole(version)) if *version == i128::from(SCHEMA_VERSION) => {}
        Some(Node::Whole(version)) => at.fault(
            "schema_version",
            format!("is {version}; this version of the library reads {SCHEMA_VERSION}"),
        ),
        Some(other) => at.mismatch("schema_version", other, "a whole number"),
        None => {}
    }
    if let Some(id) = at.required_text(fields, "snapshot_id") {
        match id.strip_prefix("sha256:") {
            Some(hash) if is_sha256(hash) => snapshot.snapshot_id = id.to_owned(),
            _ => at.fault("snapshot_id", "must be `sha256:` and 64 hex digits"),
        }
    }
    let mut sources = BTreeSet::new();
    let provenance = at.list(fields, "provenance");
    if provenance.len() > MAX_SOURCES {
        let count = provenance.len();
        at.fault(
            "provenance",
            format!("has {count} sources; {MAX_SOURCES} is the most"),
        );
        return snapshot;
    }
    for (i, node) in provenance.iter().enumerate() {
        let source = at.within(&format!("provenance[{i}]"), |at| provenance_of(node, at));
        if let Some(source) = source {
            if !sources.insert(source.source.clone()) {
                let field = format!("provenance[{i}].source");
                at.fault(&field, format!("`{}` is named twice", source.source));
            }
            snapshot.provenance.push(source);
        }
    }
    if at.required(fields, "provenance").is_some() && snapshot.provenance.is_empty() {
        at.fault("provenance", "must name at least one source");
    }
    at.required(fields, "models");
    let models = at.list(fields, "models");
    if models.len() > MAX_MODELS {
        let count = models.len();
        at.fault(
            "models",
            format!("has {count} entries; {MAX_MODELS} is the most"),
        );
        return snapshot;
    }
    let mut keys = Keys::default();
    for (i, node) in models.iter().enumerate() {
        let record = model_of(node, i, &sources, faults);
        keys.add(i, &record, faults);
        snapshot.models.push(record);
    }
    keys.check_aliases(&snapshot.models, faults);
    snapshot
}

fn provenance_of(node: &Node, at: &mut At<'_>) -> Option<Provenance> {
    let fields = at.fields(node, "")?;
    at.only(
        fields,
        &["source", "version", "sha256", "date", "license", "note"],
    );
    let sha256 = at.required_text(fields, "sha256");
    if sha256.is_some_and(|hash| !is_sha256(hash)) {
        at.fault("sha256", "must be 64 hex digits");
    }
    at.required(fields, "date");
    Some(Provenance {
        source: at.required_text(fields, "source")?.to_owned(),
        version: at.required_text(fields, "version")?.to_owned(),
        sha256: sha256?.to_owned(),
        date: at.date(fields, "date")?,
        license: at.required_text(fields, "license")?.to_owned(),
        note: at.text(fields, "note").map(str::to_owned),
    })
}

const MODEL_FIELDS: &[&str] = &[
    "provider",
    "id",
    "aliases",
    "mode",
    "limits",
    "pricing",
    "capabilities",
    "deprecation_date",
    "successor",
    "source",
];

fn model_of(
    node: &Node,
    index: usize,
    sources: &BTreeSet<String>,
    faults: &mut CatalogFaults,
) -> ModelRecord {
    let mut record = ModelRecord {
        provider: String::new(),
        id: String::new(),
        aliases: Vec::new(),
        mode: Mode::Chat,
        limits: Limits::default(),
        rates: Vec::new(),
        capabilities: Capabilities::NOT_STATED,
        deprecation_date: None,
        successor: None,
        source: String::new(),
    };
    let place = format!("models[{index}]");
    let label = label_of(node);
    let mut at = At {
        entry: Some(label.as_deref().unwrap_or(&place)),
        path: String::new(),
        faults,
    };
    let Some(fields) = at.fields(node, "entry") else {
        return record;
    };
    at.only(fields, MODEL_FIELDS);
    if let Some(provider) = at.required_text(fields, "provider") {
        if is_provider(provider) {
            provider.clone_into(&mut record.provider);
        } else {
            at.fault(
                "provider",
                "must be made of lower-case letters, digits, `_`, `.` and `-`",
            );
        }
    }
    if let Some(id) = at.required_text(fields, "id") {
        if is_model_id(id) {
            id.clone_into(&mut record.id);
        } else {
            at.fault("id", ID_RULE);
        }
    }
    at.required(fields, "mode");
    if let Some(mode) = at.text(fields, "mode") {
        match Mode::from_name(mode) {
            Some(mode) => record.mode = mode,
            None => at.fault("mode", one_of(mode, Mode::ALL.iter().map(|m| m.name()))),
        }
    }
    record.aliases = aliases_of(fields, &record.id, &mut at);
    if let Some(node) = get(fields, "limits") {
        record.limits = at.within("limits", |at| limits_of(node, at));
    }
    if let Some(node) = get(fields, "pricing") {
        record.rates = at.within("pricing", |at| pricing_of(node, at));
    }
    if let Some(node) = get(fields, "capabilities") {
        record.capabilities = at.within("capabilities", |at| capabilities_of(node, at));
    }
    record.deprecation_date = at.date(fields, "deprecation_date");
    if let Some(successor) = at.text(fields, "successor") {
        let is_key = successor
            .split_once('/')
            .is_some_and(|(provider, id)| is_provider(provider) && is_model_id(id));
        if !is_key {
            at.fault("successor", "must be `provider/model-id`");
        } else if label.as_deref() == Some(successor) {
            at.fault("successor", "is the entry itself");
        } else {
            record.successor = Some(successor.to_owned());
        }
    }
    if let Some(source) = at.required_text(fields, "source") {
        let is_address = source.starts_with("https://") || source.starts_with("http://");
        if is_address || sources.contains(source) {
            source.clone_into(&mut record.source);
        } else {
            at.fault(
                "source",
                "must be a web address or the name of a source in `provenance`",
            );
        }
    }
    record
}

fn aliases_of(fields: &[(String, Node)], id: &str, at: &mut At<'_>) -> Vec<String> {
    let mut aliases: Vec<String> = Vec::new();
    let nodes = at.list(fields, "aliases");
    if nodes.len() > MAX_ALIASES {
        at.fault(
            "aliases",
            format!("has {}; {MAX_ALIASES} is the most", nodes.len()),
        );
        return aliases;
    }
    for (i, node) in nodes.iter().enumerate() {
        let field = format!("aliases[{i}]");
        match node {
            Node::Text(alias) if !is_model_id(alias) => at.fault(&field, ID_RULE),
            Node::Text(alias) if alias == id => at.fault(&field, "is the entry's own id"),
            Node::Text(alias) if aliases.contains(alias) => {
                at.fault(&field, format!("`{alias}` is listed twice"));
            }
            Node::Text(alias) => aliases.push(alias.clone()),
            other => at.mismatch(&field, other, "a text"),
        }
    }
    aliases
}

fn limits_of(node: &Node, at: &mut At<'_>) -> Limits {
    let Some(fields) = at.fields(node, "") else {
        return Limits::default();
    };
    at.only(fields, &["context", "input", "output"]);
    let mut limit = |name| {
        at.whole(fields, name, 1, MAX_LIMIT, "token")
            .and_then(|limit| u32::try_from(limit).ok())
    };
    let limits = Limits {
        context: limit("context"),
        input: limit("input"),
        output: limit("output"),
    };
    if let Some(context) = limits.context {
        for (field, limit) in [("input", limits.input), ("output", limits.output)] {
            if let Some(limit) = limit
                && limit > context
            {
                at.fault(
                    field,
                    format!("{limit} is above the context limit of {context}"),
                );
            }
        }
    }
    limits
}

/// The services that a price list names beside the standard one, which it holds itself.
const OTHER_SERVICES: [ServiceTier; 3] =
    [ServiceTier::Batch, ServiceTier::Flex, ServiceTier::Priority];

fn pricing_of(node: &Node, at: &mut At<'_>) -> Vec<Rate> {
    let mut rates = Vec::new();
    let Some(fields) = at.fields(node, "") else {
        return rates;
    };
    let earlier = at.faults.len();
    card_of(fields, None, &["dated"], &mut rates, at);
    let mut last = None;
    let dated = at.list(fields, "dated");
    if dated.len() > MAX_TIERS {
        at.fault(
            "dated",
            format!("has {}; {MAX_TIERS} is the most", dated.len()),
        );
        return rates;
    }
    for (i, node) in dated.iter().enumerate() {
        at.within(&format!("dated[{i}]"), |at| {
            let Some(fields) = at.fields(node, "") else {
                return;
            };
            at.required(fields, "from");
            let Some(from) = at.date(fields, "from") else {
                return;
            };
            if last.is_some_and(|last| from <= last) {
                at.fault("from", "must come after the date before it");
            }
            last = Some(from);
            card_of(fields, Some(from), &["from"], &mut rates, at);
        });
    }
    if rates.is_empty() && at.faults.len() == earlier {
        at.fault("", "states no price; leave it out");
    }
    rates
}

/// A price list for one day: the standard prices, their tiers, and the other services.
fn card_of(
    fields: &[(String, Node)],
    from: Option<Date>,
    also: &[&str],
    rates: &mut Vec<Rate>,
    at: &mut At<'_>,
) {
    let services = OTHER_SERVICES.map(ServiceTier::name);
    let allowed: Vec<&str> = also.iter().chain(&services).copied().collect();
    service_of(fields, from, ServiceTier::Standard, &allowed, rates, at);
    for service in OTHER_SERVICES {
        if let Some(node) = get(fields, service.name()) {
            at.within(service.name(), |at| {
                if let Some(fields) = at.fields(node, "") {
                    service_of(fields, from, service, &[], rates, at);
                }
            });
        }
    }
}

/// The prices and tiers of one service.
fn service_of(
    fields: &[(String, Node)],
    from: Option<Date>,
    service: ServiceTier,
    also: &[&str],
    rates: &mut Vec<Rate>,
    at: &mut At<'_>,
) {
    let allowed: Vec<&str> = ["tiers"].iter().chain(also).copied().collect();
    let mut row = |above, prices: Prices| {
        if !prices.is_empty() {
            rates.push(Rate {
                from,
                service,
                above,
                prices,
            });
        }
    };
    row(0, prices_of(fields, &allowed, at));
    let tiers = at.list(fields, "tiers");
    if tiers.len() > MAX_TIERS {
        at.fault(
            "tiers",
            format!("has {}; {MAX_TIERS} is the most", tiers.len()),
        );
        return;
    }
    let mut last = 0;
    for (i, node) in tiers.iter().enumerate() {
        at.within(&format!("tiers[{i}]"), |at| {
            let Some(fields) = at.fields(node, "") else {
                return;
            };
            at.required(fields, "above");
            let prices = prices_of(fields, &["above"], at);
            if prices.is_empty() {
                at.fault("", "states no price");
            }
            let Some(above) = at
                .whole(fields, "above", 1, MAX_LIMIT, "token")
                .and_then(|above| u32::try_from(above).ok())
            else {
                return;
            };
            if above <= last {
                at.fault("above", "must be more than in the tier before it");
                return;
            }
            last = above;
            row(above, prices);
        });
    }
}

fn prices_of(fields: &[(String, Node)], also: &[&str], at: &mut At<'_>) -> Prices {
    let allowed: Vec<&str> = also
        .iter()
        .copied()
        .chain(Part::ALL.iter().map(|part| part.name()))
        .collect();
    at.only(fields, &allowed);
    Part::ALL.iter().fold(Prices::NOT_STATED, |prices, part| {
        prices.with(
            *part,
            at.whole(fields, part.name(), 0, MAX_PRICE, "picodollar"),
        )
    })
}

fn capabilities_of(node: &Node, at: &mut At<'_>) -> Capabilities {
    let mut capabilities = Capabilities::NOT_STATED;
    let Some(fields) = at.fields(node, "") else {
        return capabilities;
    };
    let names = || Capability::ALL.iter().map(|capability| capability.name());
    for (name, node) in fields {
        match (Capability::from_name(name), node) {
            (None, _) => at.fault(name, one_of(name, names())),
            (Some(capability), Node::Bool(true)) => {
                capabilities = capabilities.with(capability, Support::Yes);
            }
            (Some(capability), Node::Bool(false)) => {
                capabilities = capabilities.with(capability, Support::No);
            }
            (Some(_), other) => at.mismatch(name, other, "true or false"),
        }
    }
    at.twice(fields);
    capabilities
}

/// The key space: an id or an alias names one entry.
#[derive(Default)]
struct Keys {
    entries: BTreeMap<String, usize>,
}

impl Keys {
    fn add(&mut self, index: usize, record: &ModelRecord, faults: &mut CatalogFaults) {
        if record.provider.is_empty() || record.id.is_empty() {
            return;
        }
        let key = record.key();
        if let Some(first) = self.entries.get(&key) {
            faults.push(
                Some(&key),
                "id",
                format!("is the key of models[{first}] and of models[{index}]"),
            );
            return;
        }
        self.entries.insert(key, index);
    }

    fn check_aliases(&self, models: &[ModelRecord], faults: &mut CatalogFaults) {
        let mut aliases: BTreeMap<String, usize> = BTreeMap::new();
        for (index, record) in models.iter().enumerate() {
            for (i, alias) in record.aliases.iter().enumerate() {
                let name = format!("{}/{alias}", record.provider);
                let field = format!("aliases[{i}]");
                if self.entries.contains_key(&name) {
                    let message = format!("`{name}` is the key of another entry");
                    faults.push(Some(&record.key()), &field, message);
                } else if let Some(other) = aliases.get(&name)
                    && *other != index
                    && let Some(other) = models.get(*other)
                {
                    let message = format!("`{name}` is an alias of `{}` too", other.key());
                    faults.push(Some(&record.key()), &field, message);
                }
                aliases.entry(name).or_insert(index);
            }
        }
    }
}

/// Where the checker is: the entry, and the path of the object within it.
struct At<'a> {
    entry: Option<&'a str>,
    path: String,
    faults: &'a mut CatalogFaults,
}

impl At<'_> {
    fn fault(&mut self, field: &str, message: impl Into<String>) {
        let path = match (self.path.is_empty(), field.is_empty()) {
            (true, _) => field.to_owned(),
            (false, true) => self.path.clone(),
            (false, false) => format!("{}.{field}", self.path),
        };
        self.faults.push(self.entry, &path, message);
    }

    fn mismatch(&mut self, field: &str, node: &Node, wanted: &str) {
        self.fault(field, format!("must be {wanted}, not {}", node.kind()));
    }

    fn within<T>(&mut self, field: &str, read: impl FnOnce(&mut At<'_>) -> T) -> T {
        let path = if self.path.is_empty() {
            field.to_owned()
        } else {
            format!("{}.{field}", self.path)
        };
        read(&mut At {
            entry: self.entry,
            path,
            faults: self.faults,
        })
    }

    fn fields<'n>(&mut self, node: &'n Node, field: &str) -> Option<&'n [(String, Node)]> {
        match node {
            Node::Map(fields) => Some(fields),
            other => {
                self.mismatch(field, other, "an object");
                None
            }
        }
    }

    /// Reports fields that aren't among these, and fields that occur twice.
    fn only(&mut self, fields: &[(String, Node)], allowed: &[&str]) {
        for (name, _) in fields {
            if !allowed.contains(&name.as_str()) {
                self.fault(&shortened(name), "is not a field of this object");
            }
        }
        self.twice(fields);
    }

    fn twice(&mut self, fields: &[(String, Node)]) {
        let mut names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        for pair in names.windows(2) {
            if let [name, next] = pair
                && name == next
            {
                self.fault(&shortened(name), "occurs twice");
            }
        }
    }

    fn required<'n>(&mut self, fields: &'n [(String, Node)], field: &str) -> Option<&'n Node> {
        let node = get(fields, field);
        if node.is_none() {
            self.fault(field, "is missing");
        }
        node
    }

    fn text<'n>(&mut self, fields: &'n [(String, Node)], field: &str) -> Option<&'n str> {
        match get(fields, field)? {
            Node::Text(text) if text.is_empty() => self.fault(field, "is empty"),
            Node::Text(text) if text.len() > MAX_TEXT_BYTES => {
                self.fault(field, format!("is longer than {MAX_TEXT_BYTES} bytes"))
            }
            Node::Text(text) if text.chars().any(char::is_control) => {
                self.fault(field, "contains a control character");
            }
            Node::Text(text) => return Some(text),
            other => self.mismatch(field, other, "a text"),
        }
        None
    }

    fn required_text<'n>(&mut self, fields: &'n [(String, Node)], field: &str) -> Option<&'n str> {
        self.required(fields, field)?;
        self.text(fields, field)
    }

    fn list<'n>(&mut self, fields: &'n [(String, Node)], field: &str) -> &'n [Node] {
        match get(fields, field) {
            Some(Node::List(nodes)) => nodes,
            Some(other) => {
                self.mismatch(field, other, "a list");
                &[]
            }
            None => &[],
        }
    }

    fn date(&mut self, fields: &[(String, Node)], field: &str) -> Option<Date> {
        let text = self.text(fields, field)?;
        let date = text.parse().ok();
        if date.is_none() {
            let text = shortened(text);
            self.fault(
                field,
                format!("`{text}` is not a date of the form YYYY-MM-DD"),
            );
        }
        date
    }

    fn whole(
        &mut self,
        fields: &[(String, Node)],
        field: &str,
        least: u64,
        most: u64,
        unit: &str,
    ) -> Option<u64> {
        match get(fields, field)? {
            Node::Whole(number) if *number < 0 => self.fault(field, "must not be negative"),
            Node::Whole(number) => match u64::try_from(*number) {
                Ok(number) if number < least => {
                    self.fault(field, format!("must be at least {least}"));
                }
                Ok(number) if number <= most => return Some(number),
                _ => self.fault(field, format!("is more than {most} {unit}s")),
            },
            other => self.mismatch(field, other, &format!("a whole number of {unit}s")),
        }
        None
    }
}

fn get<'n>(fields: &'n [(String, Node)], name: &str) -> Option<&'n Node> {
    fields
        .iter()
        .find_map(|(field, node)| (field == name).then_some(node))
}

/// `provider/model-id`, if both are usable.
fn label_of(node: &Node) -> Option<String> {
    let Node::Map(fields) = node else { return None };
    match (get(fields, "provider"), get(fields, "id")) {
        (Some(Node::Text(provider)), Some(Node::Text(id)))
            if is_provider(provider) && is_model_id(id) =>
        {
            Some(format!("{provider}/{id}"))
        }
        _ => None,
    }
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64
        && text
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

fn is_provider(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_.-".contains(&b))
}

const ID_RULE: &str =
    "must be 1 to 256 visible ASCII characters without quotes, backslashes and control characters";

fn is_model_id(text: &str) -> bool {
    (1..=256).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_graphic() && b != b'"' && b != b'\\')
}

fn one_of<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    let given = shortened(given);
    format!("`{given}` is not one of: {}", names.join(", "))
}

/// What a document says, short enough and printable for a message.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(64).flat_map(char::escape_debug).collect();
    if text.chars().nth(64).is_some() {
        short.push('…');
    }
    short
}
