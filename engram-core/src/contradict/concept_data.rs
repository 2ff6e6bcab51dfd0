//! Notions about data: SQL, migrations, money, secrets, files, interfaces between versions.

use super::concept::{Concept, NONE};

// One notion a paragraph; rustfmt would give each pattern a line of its own.
#[rustfmt::skip]
pub(crate) const TABLE: &[Concept] = &[
    Concept {
        name: "raw SQL",
        mentions: &[
            "raw sql", "sql strings", "hand-written sql", "handwritten sql", "sql string", "inline sql", "raw query",
            "raw queries", "plain sql", "string sql",
        ],
        shows: &[
            "\"~*select & ~from", "\"~insert into", "\"~delete from", "\"~update & ~ set ", "$queryRaw*",
            "$executeRaw*", ".raw(", "createNativeQuery(", "find_by_sql", "RawSQL(", "executeQuery(",
            "sequelize.query(", "DB::raw(", "DB::select(",
        ],
        around: &[
            ".extra(", "literal(", "text(", "cursor.execute(", "cursor()", "connection.execute(", "Arel.sql(",
            "JdbcTemplate", "whereRaw(", "sql.raw(", "Prisma.raw(",
        ],
        ..NONE
    },
    Concept {
        name: "bound parameters",
        mentions: &[
            "parameterised", "parameterized", "parametrised", "parametrized", "prepared statement",
            "prepared statements", "bind parameter", "bind parameters", "bound parameters", "placeholders",
            "query parameters",
        ],
        shows: &["execute( & \"*, (", "PreparedStatement", "prepareStatement(", "bindParam(", "bindValue(", ".bind("],
        breaks: &[
            "\"~f\"select*", "\"~f\"insert*", "\"~f\"update*", "\"~f\"delete*", "\"~*execute(f\"", "\"~select & *${",
            "\"~where & *${", "\"~insert & *${", "\"~update & *${", "\"~delete & *${", "\"~*where & *\" +",
            "\"~*where & *' +", "\"~select & *\" +", "\"~select & *' +", "\"~*where & *\" . $",
            "\"~fmt.Sprintf( & ~select", "\"~fmt.Sprintf( & ~where", "\"~format!( & ~select", "\"~format!( & ~where",
            "\"~where & .format(", "\"~where & *\" %", "\"~String.format( & ~where", "\"~where & *#{",
            "\"~select & .format(",
        ],
        defeats: &[
            "$queryRawUnsafe*", "$executeRawUnsafe*", "sql.raw(", "Prisma.raw(", "createStatement()",
            "escape_string(", "mysql.escape(", "pg-format", "addslashes(", "Arel.sql(",
        ],
        ..NONE
    },
    Concept {
        name: "concatenated SQL",
        mentions: &[
            "string concatenation", "concatenated sql", "sql concatenation", "string interpolation",
            "interpolated sql", "built by concatenation", "string-built", "concatenating strings", "f-string sql",
            "string formatting",
        ],
        shows: &[
            "\"~*execute(f\"", "\"~select & *${", "\"~where & *${", "\"~*where & *\" +", "\"~*where & *' +",
            "\"~select & *\" +", "\"~fmt.Sprintf( & ~select", "\"~fmt.Sprintf( & ~where", "\"~format!( & ~where",
            "\"~where & .format(", "\"~where & *\" %", "\"~where & *#{", "\"~f\"select*", "\"~*where & *\" . $",
        ],
        around: &[
            "$queryRawUnsafe*", "sql.raw(", "escape_string(", "addslashes(", ".join(\" AND \"", "StringBuilder(",
        ],
        ..NONE
    },
    Concept {
        name: "SELECT *",
        mentions: &["select **", "select star", "star select"],
        shows: &["\"~select **"],
        around: &["\"~select & *.* ", "\"~returning **", "\"~select t.*"],
        ..NONE
    },
    Concept {
        name: "changes that running code survives",
        mentions: &[
            "online migration", "zero downtime", "migration + downtime", "migration + compatible",
            "migration + deploy",
            "migration + previous version", "migration + old version", "schema change + compatible",
            "migration + additive",
            "expand and contract", "additive migration", "destructive migration", "schema + backward compatible",
            "column + compatible",
        ],
        breaks: &[
            "new_column_name", "rename_column*", "renameColumn(", "rename_table*", "renameTable(", "drop_column(",
            "remove_column*", "removeColumn(", "dropColumn(", "drop_table*", "dropTable(", "RenameField(",
            "RemoveField(", "DeleteModel(", "RenameModel(", "\"~drop column", "\"~rename column", "\"~rename to",
            "\"~drop table", "\"~alter column & ~ type ",
        ],
        defeats: &[
            "nullable=False & alter_column*", "nullable=False & !server_default", "\"~set not null",
            "change_column_null & false", "null: false & !default", "notNullable() & !default*",
            "\"~add column & ~not null & !~default", "\"~add constraint & !~not valid",
        ],
        ..NONE
    },
    Concept {
        name: "indexes built concurrently",
        mentions: &["concurrently", "concurrent index", "without locking", "lock the table", "locks the table"],
        breaks: &[
            "\"~create index & !~concurrently", "\"~create unique index & !~concurrently",
            "create_index( & !concurrently", "add_index & !concurrently", "\"~lock table",
        ],
        defeats: &[
            "\"~add constraint & ~unique", "\"~set not null", "\"~reindex & !~concurrently", "\"~vacuum full",
            "\"~cluster ", "unique=True",
        ],
        ..NONE
    },
    Concept {
        name: "soft deletion",
        mentions: &["rows + deleted", "hard delete", "physically delete", 
            "soft delete", "soft-delete", "soft deletes", "soft deleted", "soft-deleted", "soft deletion",
            "deleted_at", "never deleted", "never hard deleted", "hard delete", "hard deletes", "hard-deleted",
            "physically deleted", "not deleted", "append-only", "append only", "never removed from the database",
        ],
        breaks: &[
            "\"~delete from", ".destroy", ".destroy!", ".delete()", ".delete_all", ".destroy_all", "\"~truncate*",
            "\"~drop table", "deleteMany(", "deleteOne(", "deleteById(", "forceDelete(", "hard_delete*",
            "really_destroy*",
        ],
        defeats: &[
            "\"~on delete cascade", "dependent: :destroy", "dependent: :delete*", "cascade=\"all",
            "\"cascade=\"all*", "orphanRemoval", "CascadeType.REMOVE", "CascadeType.ALL", "on_delete=models.CASCADE",
            "onDelete: 'CASCADE'", "\"onDelete: 'CASCADE'", "\"onDelete: 'cascade'", "expireAfterSeconds",
            "\"~drop partition", "\"~detach partition", "\"~insert or replace", "withTrashed(", "unscoped",
        ],
        ..NONE
    },
    Concept {
        name: "an append-only record",
        mentions: &[
            "append-only", "append only", "immutable log", "immutable audit", "audit log", "audit trail",
            "never updated", "insert-only", "event store",
        ],
        breaks: &[
            "\"~update & ~ set ", "\"~delete from", "\"~truncate*", ".update(", "updateOne(", "deleteOne(",
            ".destroy",
        ],
        defeats: &[
            "\"~on conflict & ~do update", "\"~insert or replace", "\"~merge into", "\"~replace into",
            "\"~on delete cascade", "upsert*", "\"~grant & ~update", "\"~grant & ~delete", "\"~grant all",
            "\"~disable trigger", "\"~drop trigger", "\"~drop partition", "expireAfterSeconds",
        ],
        ..NONE
    },
    Concept {
        name: "cascading deletes",
        mentions: &["cascade", "cascading", "cascading delete", "cascading deletes"],
        shows: &[
            "\"~on delete cascade", "on_delete=models.CASCADE", "dependent: :destroy", "CascadeType.REMOVE",
            "CascadeType.ALL", "\"onDelete: 'CASCADE'", "\"cascade=\"all*",
        ],
        around: &["\"~create trigger", "orphanRemoval", "before_destroy", "pre_delete", "\"~truncate & ~cascade"],
        ..NONE
    },
    Concept {
        name: "foreign keys",
        mentions: &["foreign key", "foreign keys", "referential integrity"],
        shows: &["\"~references", "\"~foreign key", "ForeignKey("],
        breaks: &[
            "\"~drop constraint", "\"~drop foreign key", "db_constraint=False", "createForeignKeyConstraints: false",
        ],
        defeats: &[
            "\"~foreign_key_checks & 0", "\"~foreign_keys = off", "\"~disable trigger", "\"~not valid",
            "\"~session_replication_role",
        ],
        ..NONE
    },
    Concept {
        name: "a transaction",
        mentions: &["transaction", "transactions", "transactional", "atomically", "atomic"],
        shows: &["~*transaction*", "atomic*", "\"~begin", "@Transactional", "BeginTx*", "savepoint"],
        breaks: &[
            "\"~autocommit = true", "autocommit=True", "setAutoCommit(true)", "isolation_level=None",
            "Propagation.NOT_SUPPORTED", "Propagation.NEVER", "disable_ddl_transaction!", "atomic = False",
        ],
        defeats: &[
            "Propagation.REQUIRES_NEW", "\"~commit", "READ_UNCOMMITTED", "\"~read uncommitted", "noRollbackFor",
            "on_commit(",
        ],
        ..NONE
    },
    Concept {
        name: "a bounded result",
        mentions: &[
            "paginated", "pagination", "paged", "unbounded query", "unbounded queries", "page size",
            "limit on list", "page limit",
        ],
        shows: &["~*limit*", "~*paginat*", "~*page*", ".take(", "~per_page", "~*cursor*", "Pageable"],
        breaks: &[
            ".all()", "findAll()", ".fetchall()", "find({})", "Pageable.unpaged()", "pagination_class = None",
            "limit=None", "limit: null",
        ],
        defeats: &[
            "limit=10000*", "limit: 10000*", "Integer.MAX_VALUE", "MAX_SAFE_INTEGER", "math.MaxInt*",
            "page_size = 10000*", "limit=-1", "limit: -1", "LIMIT 1000000*", "while True", "while (true)",
            "sys.maxsize",
        ],
        ..NONE
    },
    Concept {
        name: "exact money",
        mentions: &[
            "money", "monetary", "amount of money", "amounts of money", "money amounts", "monetary amounts",
            "monetary values", "prices", "currency amounts", "cents", "minor units", "amounts", "balances",
        ],
        shows: &["Decimal", "BigDecimal", "~numeric", "~decimal", "_cents", "Cents", "Money"],
        breaks: &[
            "%money & ~*float*", "%money & ~double", "%money & *parseFloat(", "%money & f64", "%money & f32",
            "%money & @sql real", "%money & float64", "%money & \"~double precision", "%money & ~real",
            "%money & toFixed(",
        ],
        defeats: &[
            "%money & Number(", "%money & / 100.0", "%money & * 100.0", "%money & / 100", "%money & * 0.*",
            "%money & * 1.*", "%money & .doubleValue()", "%money & .to_f", "%money & Math.round(",
            "%money & Double(", "%money & .toDouble()", "%money & round(",
        ],
        ..NONE
    },
    Concept {
        name: "floating point",
        mentions: &[
            "float", "floats", "floating point", "floating-point", "double", "doubles", "binary floating point",
        ],
        shows: &[
            "float", "f64", "f32", "double", "~float", "\"~float", "float64", "float32", "Float", "Double",
            "parseFloat(", "\"~double precision",
        ],
        around: &["Number(", ".toDouble()", ".doubleValue()", ".to_f", "/ 100.0", "* 100.0", "* 1.*", "* 0.*"],
        ..NONE
    },
    Concept {
        name: "secrets in the clear",
        mentions: &[
            "secret", "secrets", "credential", "credentials", "password", "passwords", "api key", "api keys",
            "plaintext secrets", "hard-coded secrets", "hardcoded secrets", "hard-coded credentials",
            "hardcoded credentials", "private keys",
        ],
        shows: &["%literal_secret"],
        around: &[
            "@docker ENV & ~*password*", "@docker ENV & ~*secret*", "@docker ENV & ~*token*",
            "@docker ARG & ~*password*", "@docker ARG & ~*secret*", "@docker ARG & ~*token*", "@docker COPY & .env",
            "COPY & id_rsa", "echo & ~*secret*", "echo & ~*password*", "echo & ~*token*", "b64decode( & \"",
            "~base64 & -d", "atob(", "kind: ConfigMap", "stringData:",
        ],
        ..NONE
    },
    Concept {
        name: "a secret store",
        mentions: &[
            "secret manager", "secrets manager", "vault", "secret store", "from the environment", "key management",
            "sealed secrets", "external secrets", "keychain",
        ],
        breaks: &["%literal_secret"],
        defeats: &[
            "stringData:", "@docker ENV & ~*password*", "@docker ENV & ~*token*", "@docker ARG & ~*token*", "atob(",
            "UserDefaults*", "SharedPreferences*", "localStorage.*", "kind: ConfigMap",
        ],
        ..NONE
    },
    Concept {
        name: "weak hashes",
        mentions: &["md5", "sha1", "sha-1", "weak hash", "weak hashes", "weak cryptography", "weak crypto"],
        shows: &["~*md5*", "~sha1*", "~*sha-1*", "\"~md5", "\"~sha1", "\"~sha-1", "hashlib.md5(", "hashlib.sha1("],
        around: &["~crc32*", "~adler32*", "hashCode()", "~md4*", "\"~md4", "~xxhash*"],
        ..NONE
    },
    Concept {
        name: "slow password hashing",
        mentions: &["password + hashed", 
            "password hashing", "hash passwords", "passwords are hashed", "bcrypt", "argon2", "argon2id", "scrypt",
            "hashed with",
        ],
        shows: &["~bcrypt*", "~argon2*", "~scrypt*", "PasswordEncoder"],
        breaks: &[
            "~*pass* & ~*md5*", "~*pass* & ~*sha1*", "~*pass* & ~*sha256*", "~*pass* & ~*sha512*",
            "~*pass* & createHash(",
            "~*pass* & hashlib.*", "~*pass* & MessageDigest*", "~*pass* & \"~sha-256", "~*pass* & digest(",
            "NoOpPasswordEncoder",
        ],
        defeats: &[
            "rounds=4", "rounds: 1", "gensalt(4)", "genSalt(1)", "time_cost=1", "memory_cost=8",
            "BCryptPasswordEncoder(4)", "== password", "password ==",
        ],
        ..NONE
    },
    Concept {
        name: "YAML configuration",
        mentions: &["yaml", "yaml setup", "yaml configuration", "yaml config"],
        shows: &[
            "yaml.load*", "yaml.safe_load*", "import yaml", "serde_yaml*", "js-yaml",
            "\"*js-yaml*", 
        ],
        around: &["json.load(", "tomllib.load(", "toml.load(", "configparser*", "ini.parse("],
        ..NONE
    },
    Concept {
        name: "the published interface",
        mentions: &[
            "public api", "public interface", "wire format", "breaking change", "breaking changes", "semver",
            "semantic versioning", "api compatibility", "backward compatibility", "backwards compatibility",
        ],
        breaks: &["rename_all", "\"~*operationId & ~v2"],
        defeats: &[
            "deny_unknown_fields", "additionalProperties: false", "\"additionalProperties\": false",
            "#[non_exhaustive]",
        ],
        ..NONE
    },
    Concept {
        name: "browser storage",
        mentions: &[
            "localstorage", "local storage", "browser storage", "web storage", "session storage", "sessionstorage",
        ],
        shows: &["localStorage*", "sessionStorage*"],
        around: &[
            "document.cookie", "indexedDB*", "window['local*", "\"window['localStorage*", "AsyncStorage*",
            "\"*js-cookie*", "\"*localforage*", "idb-keyval", "\"*idb-keyval*", "caches.open(", "window.name",
        ],
        ..NONE
    },
];
