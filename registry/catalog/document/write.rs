//! The document as text, laid out for people to diff.

use std::fmt::Write as _;

use super::{
    CatalogSnapshot, Date, ModelRecord, Node, Part, Provenance, Rate, ServiceTier, Support,
};

impl CatalogSnapshot {
    /// The document: models sorted by key, one block each, one line a field.
    ///
    /// The same snapshot is always the same bytes.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = String::with_capacity(self.models.len() * 600 + 1024);
        let mut sorted = self.clone();
        sorted.models.sort_by_cached_key(ModelRecord::key);
        for record in &mut sorted.models {
            record.aliases.sort();
        }
        let fields = document_fields(&sorted);
        text.push_str("{\n");
        for (i, (name, node)) in fields.iter().enumerate() {
            let comma = if i + 1 == fields.len() { "" } else { "," };
            match node {
                Node::List(blocks) => {
                    let _ = writeln!(text, "  \"{name}\": [");
                    for (i, block) in blocks.iter().enumerate() {
                        let comma = if i + 1 == blocks.len() { "" } else { "," };
                        write_block(&mut text, block);
                        let _ = writeln!(text, "{comma}");
                    }
                    let _ = writeln!(text, "  ]{comma}");
                }
                other => {
                    let _ = write!(text, "  \"{name}\": ");
                    write_line(&mut text, other);
                    let _ = writeln!(text, "{comma}");
                }
            }
        }
        text.push_str("}\n");
        text
    }

    pub(crate) fn to_node(&self) -> Node {
        Node::Map(document_fields(self))
    }
}

fn document_fields(snapshot: &CatalogSnapshot) -> Vec<(String, Node)> {
    let models = snapshot.models.iter().map(ModelRecord::to_node).collect();
    let provenance = snapshot.provenance.iter().map(provenance_node).collect();
    vec![
        field("schema_version", whole(snapshot.schema_version)),
        field("snapshot_id", text(&snapshot.snapshot_id)),
        field("provenance", Node::List(provenance)),
        field("models", Node::List(models)),
    ]
}

fn provenance_node(source: &Provenance) -> Node {
    let mut fields = vec![
        field("source", text(&source.source)),
        field("version", text(&source.version)),
        field("sha256", text(&source.sha256)),
        field("date", date(source.date)),
        field("license", text(&source.license)),
    ];
    fields.extend(source.note.as_ref().map(|note| field("note", text(note))));
    Node::Map(fields)
}

impl ModelRecord {
    pub(crate) fn to_node(&self) -> Node {
        let mut fields = vec![
            field("provider", text(&self.provider)),
            field("id", text(&self.id)),
        ];
        if !self.aliases.is_empty() {
            let aliases = self.aliases.iter().map(|alias| text(alias)).collect();
            fields.push(field("aliases", Node::List(aliases)));
        }
        fields.push(field("mode", text(self.mode.name())));
        let limits: Vec<_> = [
            ("context", self.limits.context),
            ("input", self.limits.input),
            ("output", self.limits.output),
        ]
        .into_iter()
        .filter_map(|(name, limit)| Some(field(name, whole(limit?.into()))))
        .collect();
        if !limits.is_empty() {
            fields.push(field("limits", Node::Map(limits)));
        }
        if !self.rates.is_empty() {
            fields.push(field("pricing", pricing_node(&self.rates)));
        }
        let capabilities: Vec<_> = super::Capability::ALL
            .iter()
            .filter_map(|capability| match self.capabilities.get(*capability) {
                Support::Yes => Some(field(capability.name(), Node::Bool(true))),
                Support::No => Some(field(capability.name(), Node::Bool(false))),
                Support::NotStated => None,
            })
            .collect();
        if !capabilities.is_empty() {
            fields.push(field("capabilities", Node::Map(capabilities)));
        }
        fields.extend(
            self.deprecation_date
                .map(|day| field("deprecation_date", date(day))),
        );
        fields.extend(
            self.successor
                .as_ref()
                .map(|key| field("successor", text(key))),
        );
        fields.push(field("source", text(&self.source)));
        Node::Map(fields)
    }
}

fn pricing_node(rates: &[Rate]) -> Node {
    let mut rates = rates.to_vec();
    rates.sort_by_key(|rate| (rate.from, rate.service, rate.above));
    let mut fields = Vec::new();
    let mut dated = Vec::new();
    for card in rates.chunk_by(|a, b| a.from == b.from) {
        match card.first().and_then(|rate| rate.from) {
            None => fields = card_fields(card),
            Some(from) => {
                let mut fields = card_fields(card);
                fields.insert(0, field("from", date(from)));
                dated.push(Node::Map(fields));
            }
        }
    }
    if !dated.is_empty() {
        fields.push(field("dated", Node::List(dated)));
    }
    Node::Map(fields)
}

fn card_fields(card: &[Rate]) -> Vec<(String, Node)> {
    let mut fields = Vec::new();
    for rows in card.chunk_by(|a, b| a.service == b.service) {
        let Some(first) = rows.first() else { continue };
        let mut own = Vec::new();
        let mut tiers = Vec::new();
        for row in rows {
            let prices = row
                .prices
                .iter()
                .map(|(part, price)| field(Part::name(part), whole(price)));
            if row.above == 0 {
                own.extend(prices);
            } else {
                let mut tier = vec![field("above", whole(row.above.into()))];
                tier.extend(prices);
                tiers.push(Node::Map(tier));
            }
        }
        if !tiers.is_empty() {
            own.push(field("tiers", Node::List(tiers)));
        }
        if first.service == ServiceTier::Standard {
            fields = own;
        } else {
            fields.push(field(first.service.name(), Node::Map(own)));
        }
    }
    fields
}

fn field(name: &str, node: Node) -> (String, Node) {
    (name.to_owned(), node)
}

fn text(text: &str) -> Node {
    Node::Text(text.to_owned())
}

fn whole(number: u64) -> Node {
    Node::Whole(number.into())
}

fn date(date: Date) -> Node {
    Node::Text(date.to_string())
}

/// One object, a line for each field.
fn write_block(out: &mut String, node: &Node) {
    let Node::Map(fields) = node else {
        return write_line(out, node);
    };
    out.push_str("    {\n");
    for (i, (name, node)) in fields.iter().enumerate() {
        let comma = if i + 1 == fields.len() { "" } else { "," };
        let _ = write!(out, "      \"{name}\": ");
        if name == "pricing" {
            write_pricing(out, node);
        } else {
            write_line(out, node);
        }
        let _ = writeln!(out, "{comma}");
    }
    out.push_str("    }");
}

/// The standard prices on one line, and a line for each tier, service and dated list.
fn write_pricing(out: &mut String, node: &Node) {
    let Node::Map(fields) = node else {
        return write_line(out, node);
    };
    out.push('{');
    for (i, (name, node)) in fields.iter().enumerate() {
        let nested = !matches!(node, Node::Whole(_));
        match (i, nested) {
            (0, false) => {}
            (_, false) => out.push_str(", "),
            (0, true) => out.push_str("\n        "),
            (_, true) => out.push_str(",\n        "),
        }
        let _ = write!(out, "\"{name}\": ");
        write_line(out, node);
    }
    out.push('}');
}

fn write_line(out: &mut String, node: &Node) {
    match node {
        Node::Null | Node::Fraction => out.push_str("null"),
        Node::Bool(value) => {
            let _ = write!(out, "{value}");
        }
        Node::Whole(number) => {
            let _ = write!(out, "{number}");
        }
        Node::Text(text) => {
            // Serializing a text into a string can't fail.
            out.push_str(&serde_json::to_string(text).unwrap_or_default());
        }
        Node::List(nodes) => {
            out.push('[');
            for (i, node) in nodes.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                write_line(out, node);
            }
            out.push(']');
        }
        Node::Map(fields) => {
            out.push('{');
            for (i, (name, node)) in fields.iter().enumerate() {
                let comma = if i == 0 { "" } else { ", " };
                let _ = write!(out, "{comma}\"{name}\": ");
                write_line(out, node);
            }
            out.push('}');
        }
    }
}
