use callboard::tools;

struct Files;

#[tools]
impl Files {
    #[tool(name = "list", marker = ListFiles)]
    fn list(&self) -> Vec<String> {
        Vec::new()
    }
}

struct Users;

#[tools]
impl Users {
    #[tool(name = "list", marker = ListUsers)]
    fn list(&self) -> Vec<String> {
        Vec::new()
    }
}

fn main() {}
