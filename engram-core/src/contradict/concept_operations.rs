//! Notions about building, testing, deploying and guarding.

use super::concept::{Concept, NONE};

const CHECK_OFF: &[&str] = &[
    "continue-on-error: true",
    "allow_failure: true",
    "|| true",
    "|| :",
    "--no-verify",
    "if: false",
    "[skip ci]",
    "-DskipTests*",
    "-Dmaven.test.skip*",
    "--passWithNoTests",
    "fail_ci_if_error: false",
    "--exit-zero",
    "; exit 0",
    "set +e",
    "failOnError: false",
    "failOnError = false",
    "ignoreFailures = true",
    "ignore_errors: true",
    "ignore_errors: yes",
    "when: manual",
    "soft_fail: true",
    "allow-failure: true",
    "--force",
    "testFailureIgnore",
];

// One notion a paragraph; rustfmt would give each pattern a line of its own.
#[rustfmt::skip]
pub(crate) const TABLE: &[Concept] = &[
    Concept {
        name: "a check that must pass",
        mentions: &[
            "ci", "pipeline", "checks must pass", "tests must pass", "tests pass", "build fails", "fails the build",
            "fail the build", "required check", "pre-commit", "pre-push", "git hooks", "quality gate",
            "block the merge", "blocks the merge", "blocking check", "must be green", "gate", "gates",
        ],
        breaks: CHECK_OFF,
        defeats: &[
            "--deselect", "--skip", "-x test", "--exclude", "retries:", "retry:", "--reruns", "if: github.event*",
            "paths-ignore:", "timeout-minutes: 360",
        ],
        ..NONE
    },
    Concept {
        name: "stopping at the first error",
        mentions: &[
            "set -e", "set -euo pipefail", "pipefail", "errexit", "fail fast", "fails fast", "fail-fast",
            "stop at the first error", "abort on error", "abort on the first error", "strict shell",
            "unofficial strict mode", "unset variables",
        ],
        shows: &["set -e*", "set -o errexit", "pipefail", "set -u"],
        breaks: &[
            "set +e", "set +u", "set +o pipefail", "set +o errexit", "continue-on-error: true", "ignore_errors: *",
        ],
        defeats: &[
            "|| true", "|| :", "; true", "|| echo*", "|| exit 0", "; exit 0", "2>/dev/null", "trap '' *",
            "trap - ERR", "--keep-going", "make -k", "-k ",
        ],
        ..NONE
    },
    Concept {
        name: "skipped tests",
        mentions: &[
            "skipped test", "skipped tests", "skip tests", "skipping tests", "tests are skipped", "disabled tests",
            "ignored tests", "tests are not skipped", "tests skipped", "skipped", "focused tests", "flaky tests",
            "quarantined tests",
        ],
        shows: &[
            "*.skip(", "@Ignore", "@Disabled", "t.Skip*", "#[ignore*", "mark.skip*", "xit(", "xdescribe(", "xtest(",
            "*.only(", "fit(", "fdescribe(", "skipTest(", "unittest.skip*", "pending(", "[Ignore*", "XCTSkip*",
            "markTestSkipped(",
        ],
        around: &[
            "mark.xfail*", "--deselect", "if (false", "if false", "*.todo(", "@EnabledIf*", "@DisabledIf*",
            "retries:", "jest.retryTimes(", "testPathIgnorePatterns", "collect_ignore*", "--ignore=*",
            "testing.Short()", "addopts", "flaky(", "@Tag(", "norecursedirs", "#[cfg(feature",
        ],
        ..NONE
    },
    Concept {
        name: "mocks",
        mentions: &[
            "mock", "mocks", "mocking", "mocked", "monkeypatch", "monkeypatching", "monkey-patching", "stubs",
        ],
        shows: &[
            "~mock*", "~*mock(", "jest.mock(", "vi.mock(", "@patch*", "patch(", "@Mock*", "monkeypatch*", "sinon*",
            "Mockito*", "gomock*", "mockall*", "unittest.mock*", "MagicMock(", "jest.spyOn(", "vi.spyOn(",
        ],
        around: &[
            "~*fake*", "~*stub*", "~*spy*", "nock(", "respx*", "responses.add(", "httpretty*", "wiremock*",
            "proxyquire*", "setattr(", "rewire(",
        ],
        ..NONE
    },
    Concept {
        name: "versions that are pinned",
        mentions: &[
            "pinned", "pin", "pinning", "exact version", "exact versions", "locked versions", "fixed version",
            "fixed versions", "immutable tag", "immutable tags", "version ranges", "caret ranges",
            "floating versions", "floating tags", "reproducible builds",
        ],
        breaks: &[
            "%loose_version", "%untagged_image", "*@latest", "*@main", "*@master", "@gomod latest",
            "@python-requirements *>=*", "branch = \"", "\"branch = \"*", "?ref=main", "?ref=master",
            "go install & @latest",
        ],
        defeats: &[
            "--no-lockfile", "--no-frozen-lockfile", "npm install & !npm install -g & !--*",
            "@shell,docker,yaml pip install & !== & !-r & !.", "apt-get upgrade", "curl & | sh", "curl & | bash",
            "--ignore-lock*", "pip install -U*", "pip install --upgrade*", "--update", "npm update", "rustup update",
            "npx -y*", "package-lock=false",
        ],
        ..NONE
    },
    Concept {
        name: "actions pinned to a commit",
        mentions: &[
            "commit sha", "commit shas", "full sha", "commit hash", "full-length commit", "pinned to a commit",
            "pinned by sha",
        ],
        breaks: &["%unpinned_action"],
        defeats: &["run: & curl & | *sh", "curl & | bash", "npx & @latest", "uses: docker://"],
        ..NONE
    },
    Concept {
        name: "images pinned by digest",
        mentions: &["digest", "digests", "pinned by digest", "image digest", "sha256 digest"],
        breaks: &["%undigested_image"],
        defeats: &["imagePullPolicy: Always", "docker pull", "apt-get upgrade", "apk upgrade"],
        ..NONE
    },
    Concept {
        name: "the latest tag",
        mentions: &[":latest", "latest tag", "latest tags", "`latest`"],
        shows: &["*:latest", "%untagged_image", "*@latest", "tag: latest", "\"tag: \"latest\""],
        around: &[
            "tag: main", "tag: master", "tag: stable", "*:stable", "*:main", "*:edge", "*:nightly",
            "imagePullPolicy: Always", "tag: \"\"",
        ],
        ..NONE
    },
    Concept {
        name: "an unprivileged process",
        mentions: &[
            "non-root", "nonroot", "unprivileged", 
            "as root", "root user", "run as root", "privileged", "privileged container",
            "privileged containers", "least privilege", "rootless",
        ],
        shows: &["@docker USER ", "runAsNonRoot: true", "user:", "allowPrivilegeEscalation: false"],
        breaks: &[
            "@docker USER root", "@docker USER 0", "runAsUser: 0", "privileged: true", "runAsNonRoot: false",
            "--privileged", "--user root", "--user=root", "-u root", "user: root", "user: \"0*", "user: \"root*",
            "\"user: \"root\"", "user: 0", "remoteUser\": \"root\"", "User=root",
        ],
        defeats: &[
            "allowPrivilegeEscalation: true", "SYS_ADMIN", "hostNetwork: true", "hostPID: true", "hostPath:",
            "cap_add*", "/var/run/docker.sock", "chmod u+s", "chmod +s", "chmod 4755", "setcap ", "sudo ",
            "NOPASSWD", "- ALL", "seccomp=unconfined", "seccomp:unconfined", "readOnlyRootFilesystem: false",
            "\"*\" & Action", "cluster-admin", "gosu root",
        ],
        ..NONE
    },
    Concept {
        name: "resource limits",
        mentions: &[
            "resource limits", "memory limit", "memory limits", "cpu limits", "resources.limits",
            "limits and requests", "requests and limits", "resource requests",
        ],
        shows: &["limits:", "memory:", "mem_limit:", "cpus:", "requests:"],
        breaks: &[
            "limits: {}", "resources: {}", "limits: null", "memory: \"0\"", "mem_limit: 0", "--memory=0",
            "memory: -1",
        ],
        defeats: &[
            "oom_kill_disable", "oom-kill-disable", "memory: 1000Gi", "memory: 256Gi", "MemoryLimit=infinity",
            "MemoryMax=infinity",
        ],
        ..NONE
    },
    Concept {
        name: "health probes",
        mentions: &[
            "liveness probe", "readiness probe", "health check", "health checks", "healthcheck", "probes",
            "readiness and liveness",
        ],
        shows: &["livenessProbe*", "readinessProbe*", "HEALTHCHECK", "healthcheck:", "startupProbe*"],
        breaks: &["HEALTHCHECK NONE", "healthcheck: & disable", "disable: true"],
        defeats: &[
            "command: [\"true\"]", "[\"/bin/true\"]", "CMD true", "CMD exit 0", "failureThreshold: 999*",
            "failureThreshold: 1000*", "|| exit 0", "echo ok", "periodSeconds: 3600",
        ],
        ..NONE
    },
    Concept {
        name: "closed networks",
        mentions: &[
            "reachable + internet", "exposed + internet", "open + world", "open + internet", "database + public",
            "bucket + public",
            "open to the world", "open to the internet", "publicly accessible", "public access", "public internet",
            "public buckets", "public bucket", "private network", "private subnet", "private subnets", "0.0.0.0/0",
            "ingress", "security group", "security groups", 
            "world-readable", "kept private", "stays private", "stay private",
        ],
        breaks: &[
            "\"*0.0.0.0/0*", "\"*::/0*", "\"*public-read*", "publicly_accessible & true",
            "block_public_acls & false", "block_public_policy & false", "restrict_public_buckets & false",
            "ignore_public_acls & false", "associate_public_ip_address & true",
            "public_network_access_enabled & true", "type: LoadBalancer", "type: NodePort", "ipv4_enabled & true",
            "allUsers", "\"allUsers*",
        ],
        defeats: &[
            "\"*0.0.0.0/1*", "\"*128.0.0.0/1*", "\"principal = \"*\"*", "\"*Principal\": \"*\"*",
            "\"identifiers & *\"*\"*", "map_public_ip_on_launch & true", "allAuthenticatedUsers",
            "\"allAuthenticatedUsers*", "hostNetwork: true", "hostPort:", "0.0.0.0:*", "ngrok",
            "kubectl port-forward & 0.0.0.0", "--bind 0.0.0.0*", "acl & authenticated-read",
        ],
        ..NONE
    },
    Concept {
        name: "encryption at rest",
        mentions: &["encrypted", "encryption", "encrypt", "at rest", "kms", "server-side encryption"],
        shows: &[
            "encrypted = true", "encrypted  = true", "storage_encrypted", "kms_key*", "sse_algorithm",
            "server_side_encryption*",
        ],
        breaks: &[
            "encrypted & false", "storage_encrypted & false", "encrypt & false", "encryption: false",
            "kms_key_id & null", "sslmode=disable", "\"*sslmode=disable*", "at_rest_encryption_enabled & false",
            "encrypt_at_rest & false", "enable_encryption & false", "encrypt: false", "http://", "\"http://*",
        ],
        defeats: &[
            "deletion_window_in_days = 7", "\"~ecb", "\"*/ECB/*", "\"~des*", "sslmode=prefer", "\"*sslmode=prefer*",
            "PROTECT_TO_NONE", "NSFileProtectionNone",
        ],
        ..NONE
    },
    Concept {
        name: "verified TLS",
        mentions: &[
            "certificate", "certificates", "tls", "https", "certificate verification", "tls verification",
            "ssl verification", "ssl",
        ],
        breaks: &[
            "verify=False", "verify = False", "InsecureSkipVerify*", "rejectUnauthorized: false",
            "danger_accept_invalid_*", "@shell,docker,yaml curl & -k", "--insecure", "--no-check-certificate",
            "NODE_TLS_REJECT_UNAUTHORIZED*", "CURLOPT_SSL_VERIFYPEER & false", "CURLOPT_SSL_VERIFYPEER & 0",
            "CURLOPT_SSL_VERIFYHOST & 0", "VERIFY_NONE", "CERT_NONE", "_create_unverified_context",
            "sslmode=disable", "\"*sslmode=disable*", "\"http://* & !\"*localhost* & !\"*127.0.0.1*",
            "sslVerify false", "http.sslVerify=false", "strict-ssl=false", "strict-ssl false", "tls: false",
            "ssl: false", "TrustAllCerts*", "usesCleartextTraffic=\"true", "\"usesCleartextTraffic=\"true*",
            "NSAllowsArbitraryLoads", "ServerCertificateValidationCallback*",
        ],
        defeats: &[
            "check_hostname = False", "assert_hostname=False", "ALLOW_ALL_HOSTNAME*", "NoopHostnameVerifier*",
            "HostnameVerifier*", "X509TrustManager*", "ssl.PROTOCOL_TLSv1", "MinVersion: tls.VersionTLS10",
            "TLSv1.0", "\"TLSv1\"", "sslmode=allow", "sslmode=prefer", "\"*sslmode=prefer*", "dangerous()*",
            "--trusted-host", "disable_warnings(", "checkServerIdentity: () =>",
        ],
        ..NONE
    },
    Concept {
        name: "guarded access",
        mentions: &[
            "authenticated", "authentication", "authorization", "authorisation", "authorized", "authorised",
            "login required", "auth check", "permission check", "permission checks", "permissions are checked",
            "access control", "access check", "requires a login", "auth middleware", "auth guard",
        ],
        shows: &[
            "login_required*", "requireAuth*", "~*authenticate*", "~authorize*", "@PreAuthorize*",
            "IsAuthenticated*", "~*check_permission*", "~*require_permission*", "@Secured*", "@RolesAllowed*",
            "[Authorize*", "~*requireUser*", "~*requireRole*", "~*auth_required*", "~*ensureAuth*",
            "authMiddleware*", "Depends(get_current_user*", "hasPermission(", "hasRole(", "can?(", "UseGuards(",
            "policy(",
        ],
        breaks: &[
            "AllowAny*", "permitAll()", "skip_before_action*", "skip_authorization*", "skip_authorize_resource*",
            "@PermitAll", "AllowAnonymous*", "auth: false", "authentication_classes = []", "permission_classes = []",
            "@Public()", "requireAuth: false", "auth=None", "security: []",
        ],
        defeats: &[
            "csrf_exempt*", "isAdmin = true", "is_superuser=True", "setuid(0", "bypass*", "~*skip_auth*",
            "~*disable_auth*", "~*no_auth*", "if DEBUG", "antMatchers(\"/**\")", "ignoring()", "web.ignoring*",
            "runAs(", "run_as_system*", "sudo()",
        ],
        ..NONE
    },
    Concept {
        name: "protection against forged requests",
        mentions: &["csrf", "xsrf", "forgery", "forgery protection"],
        shows: &["~*csrf*"],
        breaks: &[
            "csrf_exempt*", "csrf().disable()", "csrf.disable()", "csrf(AbstractHttpConfigurer::disable",
            "skip_before_action :verify_authenticity_token", "protect_from_forgery & null_session", "csrf: false",
            "WTF_CSRF_ENABLED = False", "skip_forgery_protection*", "[IgnoreAntiforgeryToken*",
        ],
        defeats: &[
            "sameSite: 'none'", "\"sameSite: 'none'", "SameSite=None", "SESSION_COOKIE_SAMESITE = None",
            "SESSION_COOKIE_SAMESITE = \"None", "CSRF_TRUSTED_ORIGINS & \"*", "ignoringRequestMatchers(\"/**",
            "ignoringAntMatchers(",
        ],
        ..NONE
    },
    Concept {
        name: "a closed list of origins",
        mentions: &[
            "cors", "allowed origins", "origins", "cross-origin", "allowlist", "allow list", "allow-list",
            "whitelist",
        ],
        breaks: &[
            "\"*Access-Control-Allow-Origin* & *\"*\"*", "\"*Access-Control-Allow-Origin* & *'*'*", "\"origin: '*'",
            "\"origin: \"*\"", "origin: true", "\"*allow_origins=[\"*\"]*", "AllowAllOrigins*", "AllowAnyOrigin()",
            "CORS_ALLOW_ALL_ORIGINS = True", "@CrossOrigin", "\"allowedOrigins(\"*\")", "\"origins '*'",
            "CorsLayer::permissive()", "@js cors()", "@python CORS(app)", "\"*AllowOrigins & *\"*\"*",
            "very_permissive()",
        ],
        defeats: &[
            "\"*allow_origin_regex* & *.**", "allow_origin_regex*", "req.headers.origin", "req.header('Origin')",
            "\"req.header('Origin')*", "request.headers[\"Origin\"]", "\"r.Header.Get(\"Origin\")*",
            "callback(null, true)", "allowedOriginPatterns(", "AllowOriginFunc*", "SetIsOriginAllowed(",
            "request.getHeader(\"Origin\"", "\"request.getHeader(\"Origin\"*",
        ],
        ..NONE
    },
    Concept {
        name: "wildcard permissions",
        mentions: &[
            "wildcard permission", "wildcard permissions", "wildcard actions", "wildcards in iam", "least privilege",
            "least-privilege", "iam wildcards", "star permissions", "wildcard resources", "wildcard action",
            "wildcards",
        ],
        breaks: &[
            "\"*Action\": \"*\"*", "\"*actions & *\"*\"*", "\"*Resource\": \"*\"*", "\"*resources & *\"*\"*",
            "\"*verbs: & *\"*\"*", "\"*:*\"*",
        ],
        defeats: &[
            "\"*AdministratorAccess*", "\"*PowerUserAccess*", "cluster-admin", "\"*roles/owner*", "\"*roles/editor*",
            "\"*NotAction*", "not_actions", "system:masters",
        ],
        ..NONE
    },
    Concept {
        name: "open file modes",
        mentions: &[
            "777", "world-writable", "world writable", "chmod 777", "file permissions", "file mode", "0600",
            "owner only", "owner-only",
        ],
        breaks: &[
            "chmod 777", "chmod -R 777", "0777", "0o777", "a+rwx", "chmod 666", "0o666", "0666", "0644", "0o644",
            "chmod 644", "o+w", "mode: '0777'",
        ],
        defeats: &["umask 000", "umask 0", "umask(0", "chmod a+w", "setfacl "],
        ..NONE
    },
    Concept {
        name: "packages without extras",
        mentions: &["install recommends", "recommended packages", "--no-install-recommends", "no-install-recommends"],
        breaks: &["apt-get install & !--no-install-recommends", "apt install & !--no-install-recommends"],
        ..NONE
    },
    Concept {
        name: "piping downloads to a shell",
        mentions: &[
            "curl pipe", "curl | sh", "curl | bash", "pipe to shell", "piped to a shell", "piped into a shell",
            "piping to", "pipe curl", "remote scripts", "downloaded scripts",
        ],
        shows: &["curl & | *sh", "wget & | *sh", "curl & | bash", "wget & | bash", "curl & | sudo"],
        around: &[
            "bash <(curl*", "sh -c \"$(curl*", "\"*$(curl*", "eval & curl", "source <(curl*", "ADD http*", "iex",
            "Invoke-Expression*",
        ],
        ..NONE
    },
    Concept {
        name: "a deletion guard",
        mentions: &[
            "prevent_destroy", "deletion protection", "deletion_protection", "destroyed by accident",
            "protected from deletion", "termination protection",
        ],
        shows: &[
            "prevent_destroy = true", "deletion_protection = true", "deletion_protection  = true", "prevent_destroy",
            "deletion_protection",
        ],
        breaks: &[
            "prevent_destroy & false", "deletion_protection & false", "enable_deletion_protection & false",
            "disable_api_termination & false",
        ],
        defeats: &[
            "force_destroy & true", "skip_final_snapshot & true", "create_before_destroy & false", "-replace=*",
            "terraform taint", "recovery_window_in_days = 0", "retain_on_delete & false", "reclaimPolicy: Delete",
        ],
        ..NONE
    },
];
