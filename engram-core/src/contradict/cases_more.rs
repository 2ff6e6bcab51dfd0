//! More decisions and changes of our own: four changes a decision, as the evaluation data has them.

use super::cases::Case;
use super::verdict::VerdictKind::{DirectContradiction as D, IndirectContradiction as I, NoContradiction as N};

const OS_PATH: &str = "File paths are handled with pathlib; os.path functions are not used.";
const BOX_ERROR: &str =
    "Public functions return the crate's own Error type; Box<dyn Error> is not part of the public interface.";
const TOKIO_LOCK: &str = "A std::sync::Mutex guard is never held across an await point.";
const CLONE: &str = "Serde derives are used for all wire types; JSON is never assembled by hand with format!.";
const BARREL: &str = "Barrel files are not allowed; modules are imported from the file that defines them.";
const MOMENTS: &str = "Feature code reads configuration only via the ConfigService, never from process.env.";
const EFFECTS: &str = "Data fetching happens in react-query hooks; useEffect is not used to load data.";
const PRINTS: &str = "Library modules log through the logging package and never print.";
const ORM: &str = "All database access goes through the ORM; raw SQL is reserved for migrations.";
const GLOBALS: &str = "No mutable package-level variables; dependencies are passed to constructors.";
const TESTIFY: &str =
    "Go tests use only the standard testing package; testify and other assertion libraries are not used.";
const IFACE: &str = "Repositories must not import anything from the http layer.";
const JAVA_DATE: &str = "java.util.Date and Calendar are banned; java.time is used throughout.";
const OPTIONAL: &str = "Methods return Optional rather than null.";
const FIELD: &str = "Entities have no setters.";
const MISRA: &str = "Firmware code must not use recursion or dynamic memory.";
const STRLCPY: &str = "String copies in C are always length-checked.";
const KOTLIN: &str = "Coroutines replace raw threads everywhere in the app.";
const DOCKER: &str = "Base images are pinned by digest.";
const APT: &str = "apt-get install always uses --no-install-recommends.";
const K8S: &str = "Every deployment declares readiness and liveness probes.";
const HELM: &str = "Containers are never privileged.";
const TF: &str = "Storage buckets are encrypted with our own KMS key.";
const DESTROY: &str = "The production database has deletion protection.";
const MIGRATE: &str =
    "Migrations are additive: columns are never dropped or renamed in the release that stops using them.";
const CASCADES: &str = "Foreign keys never cascade deletes.";
const BASH: &str = "Scripts must not pipe curl into a shell.";
const EVALS: &str = "eval is forbidden in shell scripts.";
const CSS: &str = "Spacing is given in rem, never in px.";
const A11Y: &str = "Focus outlines are never removed.";
const PROTO: &str = "Workflow tokens get read-only permissions by default.";
const CORS: &str = "CORS allows only our own origins.";
const RUBY: &str = "Background jobs run on Sidekiq; delayed_job was dropped.";
const SWIFT: &str = "Networking uses URLSession; Alamofire is not added again.";
const DART: &str = "print is not used in app code; use the logger.";
const RETRY: &str = "Connection pool size is limited to 20.";
const PY_ASSERT: &str = "assert is not used for validating input in production code.";
const TIMEOUTS: &str = "Worker goroutines can be stopped: each one selects on ctx.Done().";
const WARN: &str = "Compiler warnings are errors.";
const DEPRECATE: &str = "Deprecated endpoints are removed only in a major version, after a warning period.";

#[rustfmt::skip] // one case a line
pub(super) const CASES: &[Case] = &[
    (OS_PATH, "app/p.py", "+    p = os.path.join(root, name)", D),
    (OS_PATH, "app/p.py", "-    p = os.path.join(root, name)\n+    p = Path(root) / name", N),
    (OS_PATH, "app/p.py", "+    # os.path is not good enough here\n+    p = Path(root)", N),
    (BOX_ERROR, "src/lib.rs", "+pub fn load() -> Result<(), Error> {", N),
    (TOKIO_LOCK, "src/a.rs", "+    let n = items.len();", N),
    (CLONE, "src/w.rs", "+    let total = items.iter().sum::<u32>();", N),
    (BARREL, "src/a.ts", "+import { Card } from './components/Card';", N),
    (MOMENTS, "src/feature.ts", "+  const url = process.env.API_URL;", D),
    (MOMENTS, "src/feature.ts", "+  const url = this.configService.get('API_URL');", N),
    (MOMENTS, "src/feature.ts", "+  const { API_URL } = globalThis.process['env'];", I),
    (EFFECTS, "src/List.tsx", "+  useEffect(() => { load(); }, []);", D),
    (EFFECTS, "src/List.tsx", "+  const { data } = useQuery(['list'], load);", N),
    (PRINTS, "lib/a.py", "+    print(result)", D),
    (PRINTS, "lib/a.py", "+    sys.stdout.write(str(result))", I),
    (PRINTS, "lib/a.py", "+    logger.info(result)", N),
    (PRINTS, "lib/a.py", "+    fingerprint(result)", N),
    (ORM, "app/users.py", "+    rows = db.execute(\"SELECT id FROM users WHERE active\")", D),
    (ORM, "app/users.py", "+    rows = User.query.filter_by(active=True).all()", N),
    (ORM, "app/migrations/3.py", "+    op.execute(\"UPDATE users SET active = true\")", N),
    (GLOBALS, "pkg/a.go", "+\tcount := len(items)", N),
    (TESTIFY, "pkg/a_test.go", "+\t\"github.com/stretchr/testify/assert\"", D),
    (TESTIFY, "pkg/a_test.go", "+\tif got != want {\n+\t\tt.Errorf(\"got %v\", got)\n+\t}", N),
    (IFACE, "repositories/user.go", "+\t\"example.com/app/http/session\"", D),
    (JAVA_DATE, "src/A.java", "+import java.util.Date;", D),
    (JAVA_DATE, "src/A.java", "+import java.time.LocalDate;", N),
    (OPTIONAL, "src/A.java", "+        return null;", D),
    (OPTIONAL, "src/A.java", "+        return Optional.empty();", N),
    (FIELD, "src/Order.java", "+    private final long id;", N),
    (MISRA, "fw/a.c", "+    buf = malloc(n);", D),
    (MISRA, "fw/a.c", "+    static char buf[32];", N),
    (STRLCPY, "src/s.c", "+    strcat(path, name);", D),
    (STRLCPY, "src/s.c", "+    strlcpy(path, name, sizeof path);", N),
    (KOTLIN, "app/A.kt", "+        Thread { sync() }.start()", N),
    (KOTLIN, "app/A.kt", "+        new Thread(this::sync)", D),
    (KOTLIN, "app/A.kt", "+        scope.launch { sync() }", N),
    (DOCKER, "Dockerfile", "+FROM python:3.12-slim", D),
    (DOCKER, "Dockerfile", "+FROM python@sha256:9a7765b36773a37061455b332f18e265e7f58f6fea9c419a550d2a8b0e9db834", N),
    (DOCKER, "Dockerfile", "+RUN pip install --no-cache-dir -r requirements.txt", N),
    (APT, "Dockerfile", "+RUN apt-get install -y git", D),
    (APT, "Dockerfile", "+RUN apt-get install -y --no-install-recommends git", N),
    (K8S, "k8s/api.yaml", "-          livenessProbe:\n-            httpGet: {path: /health, port: 80}", D),
    (K8S, "k8s/api.yaml", "+          replicas: 3", N),
    (K8S, "k8s/api.yaml", "+            failureThreshold: 9999", I),
    (HELM, "charts/values.yaml", "+  privileged: true", D),
    (HELM, "charts/values.yaml", "+  privileged: false", N),
    (HELM, "charts/values.yaml", "+    - SYS_ADMIN", I),
    (TF, "infra/s.tf", "+  encrypted = false", D),
    (TF, "infra/s.tf", "+  versioning = true", N),
    (DESTROY, "infra/db.tf", "-  deletion_protection = true\n+  deletion_protection = false", D),
    (DESTROY, "infra/db.tf", "+  skip_final_snapshot = true", I),
    (DESTROY, "infra/db.tf", "+  backup_retention_period = 14", N),
    (MIGRATE, "db/5.sql", "+ALTER TABLE users DROP COLUMN nick;", D),
    (MIGRATE, "db/5.sql", "+ALTER TABLE users ADD COLUMN nick text;", N),
    (MIGRATE, "db/5.down.sql", "+ALTER TABLE users DROP COLUMN nick;", N),
    (CASCADES, "db/6.sql", "+  user_id int REFERENCES users ON DELETE CASCADE", D),
    (CASCADES, "db/6.sql", "+  user_id int REFERENCES users ON DELETE RESTRICT", N),
    (BASH, "bin/i.sh", "+curl -fsSL https://x.local/i.sh | bash", D),
    (BASH, "bin/i.sh", "+bash <(curl -fsSL https://x.local/i.sh)", I),
    (BASH, "bin/i.sh", "+curl -fsSL -o tool.tgz https://x.local/tool.tgz", N),
    (EVALS, "bin/i.sh", "+eval \"$cmd\"", D),
    (EVALS, "bin/i.sh", "+bash -c \"$cmd\"", I),
    (EVALS, "bin/i.sh", "+evaluate \"$cmd\"", N),
    (CSS, "web/a.scss", "+  margin: 12px;", D),
    (CSS, "web/a.scss", "+  margin: 0.75rem;", N),
    (A11Y, "web/a.css", "+button:focus { outline: none; }", D),
    (A11Y, "web/a.css", "+button:focus { outline-color: transparent; }", I),
    (A11Y, "web/a.css", "+button:focus { outline: 2px solid var(--accent); }", N),
    (PROTO, ".github/workflows/a.yml", "+      - run: make", N),
    (CORS, "src/app.ts", "+app.use(cors({ origin: '*' }));", D),
    (CORS, "src/app.ts", "+app.use(cors({ origin: (o, callback) => callback(null, true) }));", I),
    (CORS, "src/app.ts", "+app.use(cors({ origin: OWN_ORIGINS }));", N),
    (RUBY, "Gemfile", "+gem 'delayed_job'", D),
    (RUBY, "app/jobs/a.rb", "+  include Sidekiq::Job", N),
    (SWIFT, "App/Api.swift", "+import Alamofire", D),
    (SWIFT, "App/Api.swift", "+        URLSession.shared.dataTask(with: url)", N),
    (DART, "lib/a.dart", "+    print('saved $id');", D),
    (DART, "lib/a.dart", "+    log.fine('print queue empty');", N),
    (RETRY, "config/db.yml", "-  pool: 20\n+  pool: 100", D),
    (RETRY, "config/db.yml", "-  pool: 20\n+  pool: 10", N),
    (RETRY, "config/db.yml", "-  port: 5432\n+  port: 5433", N),
    (PY_ASSERT, "app/in.py", "+    assert amount > 0", D),
    (PY_ASSERT, "tests/test_in.py", "+    assert amount > 0", N),
    (TIMEOUTS, "w/a.go", "+\tgo func() {\n+\t\tfor {\n+\t\t\tpoll()\n+\t\t}\n+\t}()", D),
    (TIMEOUTS, "w/a.go", "+\tgo func() {\n+\t\tfor {\n+\t\t\tselect {\n+\t\t\tcase <-ctx.Done():\n+\t\t\t\treturn\n+\t\t\tcase j := <-jobs:\n+\t\t\t\trun(j)\n+\t\t\t}\n+\t\t}\n+\t}()", N),
    (WARN, "CMakeLists.txt", "-target_compile_options(app PRIVATE -Wall -Werror)\n+target_compile_options(app PRIVATE -Wall)", D),
    (WARN, "src/a.rs", "+#[allow(dead_code)]\n+fn old() {}", I),
    (WARN, "src/a.rs", "+fn warn(text: &str) {}", N),
    (DEPRECATE, "api/v1.py", "-@deprecated\n-def list_users_old():\n-    return users()\n", D),
    (DEPRECATE, "api/v1.py", "+@deprecated\n+def list_users_old():", N),
];
