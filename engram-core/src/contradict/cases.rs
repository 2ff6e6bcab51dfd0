//! Decisions and changes of our own, in many languages; none of the words of the shared data.

use super::diff::Diff;
use super::reading::Reading;
use super::rules;
use super::verdict::VerdictKind::{self, DirectContradiction as D, IndirectContradiction as I, NoContradiction as N};
use super::{Change, DecisionText, check};

pub(super) type Case = (&'static str, &'static str, &'static str, VerdictKind);

#[rustfmt::skip] // one case a paragraph
const CASES: &[Case] = &[
    // Rust
    ("No `unwrap()` in library code; errors are returned.", "src/lib.rs", "+    let n = text.parse::<u32>().unwrap();", D),
    ("No `unwrap()` in library code; errors are returned.", "src/lib.rs", "+    let n = text.parse::<u32>().expect(\"digits\");", I),
    ("No `unwrap()` in library code; errors are returned.", "src/lib.rs", "-    let n = text.parse::<u32>().unwrap();\n+    let n = text.parse::<u32>()?;", N),
    ("No `unwrap()` in library code; errors are returned.", "src/lib.rs", "+    // unwrap() would be wrong here\n+    let n = read()?;", N),
    ("No `unwrap()` in library code; errors are returned.", "tests/api.rs", "+    let n = api().unwrap();", N),
    ("The library never panics.", "src/parse.rs", "+        _ => panic!(\"bad tag\"),", D),
    ("The library never panics.", "src/parse.rs", "+    return Err(Error::new(\"would panic otherwise\"));", N),
    ("We use anyhow for errors in the binary.", "Cargo.toml", "-anyhow = \"1\"\n+eyre = \"0.6\"", D),
    ("The core crate contains no unsafe code.", "core/src/ring.rs", "+    let b = unsafe { *self.ptr.add(i) };", D),
    ("The core crate contains no unsafe code.", "core/src/lib.rs", "+#![allow(unsafe_code)]", I),
    ("Blocking calls are not allowed in async functions.", "src/srv.rs", "+    let body = std::fs::read_to_string(path)?;", D),
    ("Blocking calls are not allowed in async functions.", "src/srv.rs", "+    let body = tokio::fs::read_to_string(path).await?;", N),
    // TypeScript, JavaScript
    ("The `any` type is not used; unknown input is parsed with zod.", "src/in.ts", "+  const body = req.body as any;", D),
    ("The `any` type is not used; unknown input is parsed with zod.", "src/in.ts", "+  // @ts-expect-error\n+  const body: Order = req.body;", I),
    ("The `any` type is not used; unknown input is parsed with zod.", "src/in.ts", "+  const body = Order.parse(req.body); // not any", N),
    ("console.log must not be committed; use the logger.", "src/a.ts", "+  console.log(user);", D),
    ("console.log must not be committed; use the logger.", "src/a.ts", "+  process.stdout.write(String(user));", I),
    ("console.log must not be committed; use the logger.", "src/a.ts", "-  console.log(user);\n+  logger.info(user);", N),
    ("HTTP requests go through the ApiClient wrapper.", "src/orders.ts", "+  const r = await fetch('/api/orders');", D),
    ("HTTP requests go through the ApiClient wrapper.", "src/orders.ts", "+  const r = await apiClient.get('/orders');", N),
    ("HTTP requests go through the ApiClient wrapper.", "src/ApiClient.ts", "+  const r = await fetch(url, init);", N),
    ("Tokens are never kept in localStorage.", "src/auth.ts", "+  localStorage.setItem('token', t);", D),
    ("Tokens are never kept in localStorage.", "src/auth.ts", "+  document.cookie = `token=${t}`;", I),
    ("Tokens are never kept in localStorage.", "src/auth.ts", "-  localStorage.setItem('token', t);\n+  session.remember(t);", N),
    ("State is managed with zustand, not redux.", "src/store.ts", "+import { createStore } from 'redux';", D),
    ("State is managed with zustand, not redux.", "src/store.ts", "+import { create } from 'zustand';", N),
    ("Class components are not written any more; components are functions with hooks.", "src/Card.tsx", "+export class Card extends React.Component<Props> {", D),
    ("All user-facing strings go through the t() translation function.", "src/Save.tsx", "-  <button>{t('save')}</button>\n+  <button>Save changes</button>", D),
    ("All user-facing strings go through the t() translation function.", "src/Save.tsx", "+  <button>{t('cancel')}</button>", N),
    ("We use pnpm, not npm or yarn.", ".github/workflows/ci.yml", "+      - run: npm ci", D),
    ("We use pnpm, not npm or yarn.", ".github/workflows/ci.yml", "+      - run: pnpm install --frozen-lockfile", N),
    // Python
    ("Never use bare except clauses.", "app/io.py", "+    except:\n+        return None", D),
    ("Never use bare except clauses.", "app/io.py", "+    with contextlib.suppress(Exception):\n+        load()", I),
    ("Never use bare except clauses.", "app/io.py", "+    except FileNotFoundError:\n+        return None", N),
    ("Subprocesses are never started with shell=True.", "tools/run.py", "+    subprocess.run(cmd, shell=True)", D),
    ("Subprocesses are never started with shell=True.", "tools/run.py", "+    subprocess.run([\"git\", \"status\"], check=True)", N),
    ("All datetimes are timezone-aware and in UTC.", "app/t.py", "-    now = datetime.now(timezone.utc)\n+    now = datetime.now()", D),
    ("All datetimes are timezone-aware and in UTC.", "app/t.py", "+    at = at.replace(tzinfo=None)", I),
    ("All datetimes are timezone-aware and in UTC.", "app/t.py", "+    at = datetime.now(tz=timezone.utc)", N),
    ("Use httpx instead of requests.", "app/c.py", "+import requests", D),
    ("Use httpx instead of requests.", "app/c.py", "+    self.requests += 1", N),
    ("SQL always uses bound parameters, never string formatting.", "app/db.py", "+    cur.execute(f\"SELECT * FROM users WHERE id = {uid}\")", D),
    ("SQL always uses bound parameters, never string formatting.", "app/db.py", "+    cur.execute(\"SELECT id FROM users WHERE id = %s\", (uid,))", N),
    ("Do not use pickle for cached data.", "app/cache.py", "+import pickle", D),
    ("Do not use pickle for cached data.", "app/cache.py", "+import cloudpickle", I),
    ("Do not use pickle for cached data.", "app/cache.py", "+    # json, because pickle is unsafe\n+    return json.loads(raw)", N),
    ("Lambdas live in handlers/; handlers must not import from the web package.", "handlers/a.py", "+from web.session import Session", D),
    ("Every outgoing HTTP request has a timeout.", "app/h.py", "+    r = requests.get(url)", D),
    ("Every outgoing HTTP request has a timeout.", "app/h.py", "+    r = requests.get(url, timeout=5)", N),
    // Go
    ("Errors are wrapped with %w so that callers can inspect them.", "a.go", "-\treturn fmt.Errorf(\"load: %w\", err)\n+\treturn fmt.Errorf(\"load: %v\", err)", D),
    ("Use log/slog for logging; logrus is not used any more.", "a.go", "+\t\"github.com/sirupsen/logrus\"", D),
    ("Request handlers pass the request context down; context.Background() is only for main and tests.", "srv/h.go", "+\trows, err := db.QueryContext(context.Background(), q)", D),
    ("Request handlers pass the request context down; context.Background() is only for main and tests.", "srv/h.go", "+\trows, err := db.QueryContext(r.Context(), q)", N),
    ("No init functions.", "pkg/a.go", "+func init() {", D),
    ("No init functions.", "pkg/a.go", "+func initialise() {", N),
    ("Do not use panic in handlers.", "srv/h.go", "+\tlog.Fatalf(\"no db: %v\", err)", D),
    // Java, Kotlin, C#, Swift
    ("Constructor injection only; field injection is not used.", "src/OrderService.java", "+    @Autowired\n+    private OrderRepository orders;", D),
    ("Constructor injection only; field injection is not used.", "src/OrderService.java", "+    OrderService(OrderRepository orders) {", N),
    ("Lombok is not used.", "src/Order.java", "+import lombok.Data;", D),
    ("Lombok is not used.", "build.gradle", "+    compileOnly 'org.projectlombok:lombok:1.18.30'", D),
    ("System.out is not written to; use SLF4J.", "src/A.java", "+        System.out.println(order);", D),
    ("Money amounts are BigDecimal, never double.", "src/Invoice.java", "+    private double total;", D),
    ("Money amounts are BigDecimal, never double.", "src/Invoice.java", "+    double t = total.doubleValue() * 1.19;", D),
    ("Money amounts are BigDecimal, never double.", "src/Map.java", "+    private double latitude;", N),
    ("No `!!` in Kotlin code.", "src/A.kt", "+    val name = user!!.name", D),
    ("No `!!` in Kotlin code.", "src/A.kt", "+    if (a != b && !c) return", N),
    ("GlobalScope is not used; coroutines are launched in a lifecycle scope.", "src/A.kt", "+    GlobalScope.launch { sync() }", D),
    ("GlobalScope is not used; coroutines are launched in a lifecycle scope.", "src/A.kt", "+    viewModelScope.launch { sync() }", N),
    ("Force unwrapping is forbidden.", "App/A.swift", "+        let url = URL(string: raw)!", D),
    ("Force unwrapping is forbidden.", "App/A.swift", "+        guard let url = URL(string: raw) else { return }", N),
    // C, C++
    ("No dynamic allocation after initialisation.", "src/loop.c", "+    char *b = malloc(64);", D),
    ("No dynamic allocation after initialisation.", "src/loop.c", "+    char *b = strdup(name);", I),
    ("No dynamic allocation after initialisation.", "src/loop.c", "+    /* no malloc( here */\n+    char b[64];", N),
    ("strcpy and sprintf are banned; use the bounded variants.", "src/s.c", "+    strcpy(dst, src);", D),
    ("strcpy and sprintf are banned; use the bounded variants.", "src/s.c", "+    snprintf(dst, n, \"%s\", src);", N),
    ("Owning raw pointers are not used; use std::unique_ptr.", "src/a.cpp", "+    auto *n = new Node();", D),
    ("Owning raw pointers are not used; use std::unique_ptr.", "src/a.cpp", "+    auto n = std::make_unique<Node>();", N),
    ("goto is not allowed.", "src/a.c", "+        goto out;", D),
    ("goto is not allowed.", "src/a.c", "+    log_event(\"goto\");", N),
    // SQL
    ("Money columns are NUMERIC, never FLOAT.", "db/1.sql", "+ALTER TABLE invoices ADD COLUMN total FLOAT;", D),
    ("Money columns are NUMERIC, never FLOAT.", "db/1.sql", "+ALTER TABLE invoices ADD COLUMN total NUMERIC(12,2);", N),
    ("Indexes are created concurrently.", "db/2.sql", "+CREATE INDEX idx_a ON orders (a);", D),
    ("Indexes are created concurrently.", "db/2.sql", "+CREATE INDEX CONCURRENTLY idx_a ON orders (a);", N),
    ("Rows are soft-deleted by setting deleted_at; nothing is physically deleted.", "db/3.sql", "+DELETE FROM users WHERE inactive;", D),
    ("Rows are soft-deleted by setting deleted_at; nothing is physically deleted.", "db/3.sql", "+ALTER TABLE posts ADD FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE;", I),
    ("Rows are soft-deleted by setting deleted_at; nothing is physically deleted.", "db/3.sql", "+UPDATE users SET deleted_at = now() WHERE inactive;", N),
    ("Queries name their columns; SELECT * is not used.", "db/v.sql", "+CREATE VIEW v AS SELECT * FROM orders;", D),
    ("The audit table is append-only.", "db/4.sql", "+UPDATE audit SET actor = 'system' WHERE actor IS NULL;", D),
    ("The audit table is append-only.", "db/4.sql", "+INSERT INTO audit (actor) VALUES ('system');", N),
    // YAML, Docker, Terraform, shell
    ("GitHub Actions are pinned to a full commit SHA.", ".github/workflows/a.yml", "+      - uses: actions/checkout@v4", D),
    ("GitHub Actions are pinned to a full commit SHA.", ".github/workflows/a.yml", "+      - uses: actions/checkout@8ade135a41bc03ea155e62e844d188df1ea18608 # v4", N),
    ("Containers never run as root.", "Dockerfile", "+USER root", D),
    ("Containers never run as root.", "Dockerfile", "+RUN chmod u+s /usr/bin/tool", I),
    ("Containers never run as root.", "Dockerfile", "+USER app", N),
    ("Containers never run as root.", "k8s/d.yaml", "+          runAsUser: 0", D),
    ("Images are never deployed with the latest tag.", "k8s/d.yaml", "+          image: registry.local/api:latest", D),
    ("Images are never deployed with the latest tag.", "k8s/d.yaml", "+          image: registry.local/api:1.4.2", N),
    ("Every container has memory and CPU limits (resource limits).", "k8s/d.yaml", "-          limits:\n-            memory: 256Mi", D),
    ("S3 buckets are never public.", "infra/s3.tf", "+  acl = \"public-read\"", D),
    ("S3 buckets are never public.", "infra/s3.tf", "+  acl = \"private\"", N),
    ("Security groups are not open to the internet.", "infra/sg.tf", "+    cidr_blocks = [\"0.0.0.0/0\"]", D),
    ("Security groups are not open to the internet.", "infra/sg.tf", "+    cidr_blocks = [\"10.0.0.0/8\"]", N),
    ("Secrets are never committed in plain text.", "k8s/e.yaml", "+              value: x\n+  DB_PASSWORD: hunter2secret", D),
    ("Secrets are never committed in plain text.", "k8s/e.yaml", "+  DB_PASSWORD: ${DB_PASSWORD}", N),
    ("Shell scripts start with set -euo pipefail.", "bin/d.sh", "-set -euo pipefail\n+set -x", D),
    ("Shell scripts start with set -euo pipefail.", "bin/d.sh", "+make migrate || true", I),
    ("Shell scripts start with set -euo pipefail.", "bin/d.sh", "+set -euo pipefail\n+make", N),
    ("CI checks must pass before a merge.", ".github/workflows/a.yml", "+        continue-on-error: true", D),
    ("CI checks must pass before a merge.", ".github/workflows/a.yml", "+        timeout-minutes: 10", N),
    ("TLS certificates are always verified.", "bin/get.sh", "+curl --insecure https://x.local/a", D),
    ("TLS certificates are always verified.", "bin/get.sh", "+curl --fail https://x.local/a", N),
    // Web
    ("!important is not used in stylesheets.", "web/a.css", "+  color: var(--ink) !important;", D),
    ("Colours come from design tokens.", "web/a.scss", "+  color: #ff0044;", D),
    ("Colours come from design tokens.", "web/a.scss", "+  color: var(--accent);", N),
    ("Every image has alt text.", "web/a.html", "+<img src=\"a.png\">", D),
    ("Every image has alt text.", "web/a.html", "+<img src=\"a.png\" alt=\"A map\">", N),
    ("Raw HTML is never rendered from user input.", "web/A.tsx", "+  <div dangerouslySetInnerHTML={{ __html: bio }} />", D),
    ("Raw HTML is never rendered from user input.", "web/a.js", "+  el.insertAdjacentHTML('beforeend', bio);", I),
    // PHP, Ruby
    ("eval is never used.", "lib/a.php", "+    eval($code);", D),
    ("Callbacks on models are avoided; use service objects.", "app/models/o.rb", "+  # callbacks are avoided\n+  belongs_to :user", N),
    ("Endpoints require authentication; every controller has an auth check.", "app/c.rb", "+  skip_before_action :authenticate_user!", D),
    // Numbers, limits, files
    ("Requests are retried at most 3 times.", "src/r.ts", "-const MAX_RETRIES = 3;\n+const MAX_RETRIES = 10;", D),
    ("Requests are retried at most 3 times.", "src/r.ts", "-const MAX_RETRIES = 3;\n+const MAX_RETRIES = 2;", N),
    ("Test coverage stays at least 80 percent.", "jest.config.json", "-  \"coverage\": 85\n+  \"coverage\": 60", D),
    ("The line length is 100.", "rustfmt.toml", "-max_line_length = 100\n+max_line_length = 140", D),
    ("The service runs on Node 20.", "Dockerfile", "-FROM node:20-alpine\n+FROM node:22-alpine", D),
    ("Files in gen/ are not edited by hand.", "gen/api.ts", "+export const x = 1;", D),
    ("Files in gen/ are not edited by hand.", "src/api.ts", "+export const x = 1;", N),
    ("Indent with tabs.", "src/a.go", "+    return nil", D),
    ("Indent with tabs.", "src/a.go", "+\treturn nil", N),
    // Tests, choices
    ("Tests are never skipped.", "tests/a.test.ts", "+  it.skip('pays', () => {", D),
    ("Tests never sleep; they wait for conditions.", "tests/test_a.py", "+    time.sleep(2)", D),
    ("Tests never sleep; they wait for conditions.", "src/a.py", "+    time.sleep(2)", N),
    ("We chose PostgreSQL over MongoDB for the order store.", "docker-compose.yml", "+    image: mongo:7", D),
    ("We chose PostgreSQL over MongoDB for the order store.", "docker-compose.yml", "+    image: postgres:16", N),
    ("Prefer composition over inheritance.", "src/A.java", "+public class Car extends Vehicle {", D),
    ("The cache is Redis.", "requirements.txt", "-redis==5\n+pymemcache==4", D),
    // Nothing to do with it
    ("Passwords are hashed with argon2.", "src/a.rs", "+    let count = users.len();", N),
    ("The scheduler is single-threaded by design.", "src/a.rs", "+    let name = thread_name();", N),
    ("Use kebab-case for file names.", "src/a.ts", "+  const userName = read();", N),
    ("Logs never contain passwords.", "src/a.py", "+    log.info(\"login ok\")", N),
    ("Never log passwords or tokens.", "src/a.py", "+    logger.info(\"login %s\", password)", D),
    ("Never log passwords or tokens.", "src/a.py", "+    logger.info(\"login of %s\", user.id)", N),
    ("Never log passwords or tokens.", "src/a.py", "+    password = form.password", N),
];

fn judge((decision, path, diff, _): &Case) -> super::verdict::Verdict {
    check(&Change { path, diff }, &[DecisionText::new("d", *decision)])
}

#[test]
fn our_own_pairs_are_judged_as_they_should() {
    let mut wrong = Vec::new();
    for case in CASES.iter().chain(super::cases_more::CASES) {
        let verdict = judge(case);
        if verdict.verdict != case.3 {
            wrong.push(format!("{:?} wanted {:?} got {:?}\n    {}", case.0, case.3, verdict.verdict, case.2));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} wrong:\n{}",
        wrong.len(),
        CASES.len() + super::cases_more::CASES.len(),
        wrong.join("\n")
    );
}

/// Every decision against every change that was made for another one: hardly any of them has to do with it.
#[test]
fn decisions_are_silent_about_changes_made_for_other_decisions() {
    let all: Vec<&Case> = CASES.iter().chain(super::cases_more::CASES).collect();
    let mut decisions: Vec<&str> = all.iter().map(|c| c.0).collect();
    decisions.dedup();
    // Every line of a file that indents otherwise is a breach of this one.
    decisions.retain(|d| !d.contains("tabs"));
    let diffs: Vec<(&str, Diff<'_>)> = all.iter().map(|c| (c.0, Diff::parse(c.1, c.2))).collect();
    let (mut tried, mut loud) = (0, Vec::new());
    for (i, decision) in decisions.iter().enumerate() {
        let reading = Reading::of(&DecisionText::new("d", *decision));
        // A seventh of the pairs, spread over all: the whole takes a minute.
        let sample = diffs.iter().enumerate().filter(|(j, _)| (3 * i + j) % 7 == 0).map(|(_, d)| d);
        for (_, diff) in sample.filter(|(other, _)| other != decision) {
            tried += 1;
            loud.extend(rules::judge(&reading, diff).map(|f| format!("{decision}\n    {} {}", f.quote, f.reason)));
        }
    }
    println!("{} warnings in {tried} unrelated pairs", loud.len());
    if std::env::var_os("ENGRAM_SHOW").is_some() {
        println!("{}", loud.join("\n"));
    }
    assert!(loud.len() * 200 < tried, "{} of {tried}:\n{}", loud.len(), loud.join("\n"));
}
