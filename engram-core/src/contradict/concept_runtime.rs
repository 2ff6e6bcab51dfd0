//! Notions about what happens at run time: output, time, chance, threads, memory, processes, the network.

use super::concept::{Concept, NONE};

// One notion a paragraph; rustfmt would give each pattern a line of its own.
#[rustfmt::skip]
pub(crate) const TABLE: &[Concept] = &[
    Concept {
        name: "printing",
        mentions: &["fmt.println", "system.err", "system.out", 
            "print", "prints", "printing", "printed", "print macro", "print macros", "print statement",
            "print statements", "println", "console output", "standard output", "stdout",
        ],
        shows: &[
            "println!(", "eprintln!(", "@rust print!(", "eprint!(", "dbg!(", "@python print(", "console.log(",
            "console.error(", "console.warn(", "console.info(", "console.debug(", "fmt.Print*", "System.out.print*",
            "System.err.print*", "@c,cpp printf(", "@c,cpp puts(", "@cpp std::cout", "@cpp cout <<",
            "@csharp Console.Write*", "@ruby puts ", "@ruby p ", "@kotlin println(", "@kotlin print(",
            "@swift print(", "@swift NSLog(", "@php echo ", "@php var_dump(", "@php print_r(", "@dart print(",
            "@lua print(", "@elixir IO.puts", "@elixir IO.inspect",
        ],
        around: &[
            "process.stdout*", "process.stderr*", "sys.stdout*", "sys.stderr*", "os.Stdout", "os.Stderr",
            "io::stdout()", "io::stderr()", "@c,cpp fputs(", "@c,cpp fwrite( & std*", "@c,cpp write(1,",
            "@ruby $stdout*", "@ruby STDOUT*", "@csharp Console.Out*", "@java System.console()",
            "@rust Command::new( & .status()", "@rust Command::new( & .spawn()", "@rust Stdio::inherit()",
            "stdio: 'inherit'", "\"stdio: 'inherit'", "\"stdio: \"inherit\"", "/dev/stdout", "\"/dev/stdout",
            "\"/dev/tty", "os.write(1", "os.system(", "@swift FileHandle.standardOutput", "@php php://output",
            "@php \"php://output", "@js alert(",
        ],
        ..NONE
    },
    Concept {
        name: "the console",
        mentions: &["console.log", "console", "console logging", "console statements"],
        shows: &[
            "console.log(", "console.error(", "console.warn(", "console.info(", "console.debug(", "console.table(",
            "console.dir(",
        ],
        around: &[
            "process.stdout.write(", "process.stderr.write(", "globalThis.console", "= console", "util.debuglog(",
        ],
        ..NONE
    },
    Concept {
        name: "logging",
        mentions: &[
            "log", "logs", "logged", "logging", "log line", "log lines", "log message", "log messages",
            "log statement", "log statements",
        ],
        shows: &[
            "log.*", "~logger.*", "~logging.*", "console.*", "~*log(", "tracing::*", "info!(", "warn!(", "error!(",
            "debug!(", "trace!(", "slog.*", "Log.*", "~_log.*", "println!(", "@python print(", "fmt.Print*",
            "System.out.*", "Rails.logger*", "error_log(", "NSLog(", "os_log(", "Timber.*", "@shell echo ",
            "@c,cpp printf(", "@c,cpp syslog(",
        ],
        around: &["~captureMessage(", "~captureException(", "~addBreadcrumb(", "~setExtra(", "~track("],
        ..NONE
    },
    Concept {
        name: "sleeping",
        mentions: &[
            "sleep", "sleeps", "sleeping", "fixed delay", "fixed delays", "fixed wait", "fixed waits",
            "hard-coded wait", "arbitrary wait", "arbitrary waits", "arbitrary timeouts",
        ],
        shows: &[
            "~sleep(", "~*.sleep(", "thread::sleep*", "@shell sleep ", "@ruby sleep ", "usleep(", "nanosleep(",
            "Task.Delay(", "delay(", "Thread.Sleep(", "time.Sleep(",
        ],
        around: &[
            "setTimeout(", "waitForTimeout(", "cy.wait(", "time.After(", "recv_timeout(", "park_timeout(",
            "CountDownLatch(", ".wait(timeout", "SpinWait*", "implicitly_wait(", "browser.pause(", "Awaitility",
        ],
        ..NONE
    },
    Concept {
        name: "the wall clock",
        mentions: &[
            "wall clock", "system clock", "system time", "current time", "injected clock", "clock",
            "clock interface",
        ],
        breaks: &[
            "time.time()", "Date.now()", "new Date()", "System.currentTimeMillis(", "Instant.now()",
            "Instant::now()", "SystemTime::now()", "time.Now()", "datetime.now(", "datetime.utcnow(", "Utc::now()",
            "Local::now()", "LocalDateTime.now()", "LocalDate.now()", "DateTime.Now", "DateTime.UtcNow", "Time.now",
        ],
        defeats: &["performance.now()", "process.hrtime*", "System.nanoTime()", "time.Since(", "date +%s"],
        ..NONE
    },
    Concept {
        name: "UTC and aware times",
        mentions: &[
            "utc", "timezone-aware", "time zone aware", "timezone aware", "aware datetime", "aware datetimes",
            "with time zone", "timestamptz",
        ],
        shows: &[
            "timezone.utc", "UTC", "~timestamptz", "~with time zone", "Instant", "ZonedDateTime", "DateTimeOffset",
            "OffsetDateTime", "UtcNow", "toISOString(",
        ],
        breaks: &[
            "datetime.now()", "utcnow()", "datetime.fromtimestamp( & !tz", "LocalDateTime*", "@csharp DateTime.Now",
            "Local::now()", "@go time.Local", "\"~timestamp without time zone",
            "@sql ~timestamp & !~with time zone & !~current_timestamp", "@sql ~datetime", "NaiveDateTime",
            "@ruby Time.now", "time.localtime(",
        ],
        defeats: &[
            "replace(tzinfo=None", "tzinfo=None", "toLocaleString(", "toLocaleDateString(", "getTimezoneOffset(",
            "naive_utc()", "naive_local()", ".toLocalDateTime(", "USE_TZ = False",
        ],
        ..NONE
    },
    Concept {
        name: "naive times",
        mentions: &["naive datetime", "naive datetimes", "naive timestamps", "local time", "local times"],
        shows: &[
            "datetime.now()", "utcnow()", "LocalDateTime*", "DateTime.Now", "Local::now()", "time.Local",
            "\"~timestamp without time zone", "NaiveDateTime",
        ],
        around: &["replace(tzinfo=None", "tzinfo=None", "toLocaleString(", "naive_utc()", "naive_local()"],
        ..NONE
    },
    Concept {
        name: "calendar arithmetic by a library",
        mentions: &["date library", "date handling", "date arithmetic", "dates + library", "time library"],
        defeats: &[
            "getMonth() + *", "getMonth() - *", "getDate() + *", "getDate() - *", "setMonth(", "setDate(",
            "setFullYear(", "86400", "86400000", "* 60 * 60", "* 3600", "getFullYear() + *", "getFullYear() - *",
        ],
        ..NONE
    },
    Concept {
        name: "unseeded chance",
        mentions: &[
            "seeded", "deterministic", "reproducible", "cryptographically secure", "secure random", "csprng",
            "secure random generator", "crypto random", "cryptographic randomness",
        ],
        breaks: &[
            "Math.random(", "@python random.random(", "@python random.randint(", "@python random.choice(",
            "@python random.choices(", "@c,cpp rand(", "rand.Intn(", "rand.Int(", "\"\"math/rand*",
            "java.util.Random", "@java new Random(", "@csharp new Random(", "mt_rand(", "@php rand(", "thread_rng()",
            "@ruby rand(",
        ],
        defeats: &[
            "Date.now().toString(36)", "uuid1(", "uuidv1(", "srand(time", "random.seed(time",
            "new Random(System.currentTimeMillis", "rand.NewSource(",
        ],
        ..NONE
    },
    Concept {
        name: "eval",
        mentions: &["eval", "dynamic code", "code evaluation", "execute strings"],
        shows: &[
            "@js,python,php,ruby,shell eval(", "@shell eval ", "@python exec(", "new Function(",
            "@ruby instance_eval", "@ruby class_eval",
        ],
        around: &[
            "@python compile(", "vm.run*", "vm.Script(", "pickle.loads(", "__import__(", "setTimeout(\"",
            "@shell bash -c", "@shell sh -c", "@ruby .send(", "create_function(", "ScriptEngine*",
        ],
        ..NONE
    },
    Concept {
        name: "unsafe deserialisation",
        mentions: &["pickle", "deserialization", "deserialisation", "untrusted data"],
        shows: &[
            "pickle.load*", "pickle.dump*", "import pickle", "yaml.load( & !SafeLoader", "ObjectInputStream(",
            "Marshal.load", "unserialize(", "BinaryFormatter",
        ],
        around: &[
            "cloudpickle*", "dill*", "joblib.load(", "shelve.*", "marshal.load*", "torch.load(", "yaml.unsafe_load",
            "yaml.full_load", "jsonpickle*",
        ],
        ..NONE
    },
    Concept {
        name: "child processes",
        mentions: &[
            "shell out", "shelling out", "shells out", "subprocess", "subprocesses", "child process",
            "child processes", "external command", "external commands", "external process", "shell commands",
            
        ],
        shows: &[
            "shell=True", "os.system(", "os.popen(", "subprocess.*", "import subprocess", "\"*child_process*",
            "execSync(", "spawnSync(", "@js spawn(", "@js exec(", "Command::new(", "exec.Command*", "\"\"os/exec\"",
            "getRuntime().exec(", "ProcessBuilder(", "@csharp Process.Start(", "@php shell_exec(", "@php exec(",
            "@c,cpp system(", "@c,cpp popen(", "@ruby system(",
        ],
        around: &[
            "os.exec*", "os.spawn*", "asyncio.create_subprocess*", "pexpect*", "import sh", "posix_spawn*",
            "syscall.Exec(", "execve(", "execvp(", "\"sh\", \"-c\"", "\"*execa*", "\"*shelljs*", "libc::execv*",
            "Open3*", "*%x(",
        ],
        ..NONE
    },
    Concept {
        name: "a shell in between",
        mentions: &["shell=true", "shell = true", "shell interpolation", "shell strings"],
        shows: &["shell=True", "shell: true"],
        around: &[
            "os.system(", "os.popen(", "\"sh\", \"-c\"", "\"*\"sh\", \"-c\"", "\"*\"bash\", \"-c\"", "\"*'sh', '-c'",
            "getoutput(", "execSync(",
        ],
        ..NONE
    },
    Concept {
        name: "network access",
        mentions: &["api calls", "http", "http request", 
            "network", "network access", "network calls", "network call", "network requests", "the internet",
            "outbound", "outbound requests", "http requests", "http calls", "phone home", "offline",
        ],
        shows: &[
            "requests.get(", "requests.post(", "import requests", "import httpx", "@js fetch(", "axios*",
            "http.Get(", "http.Post(", "http.Client*", "\"\"net/http\"", "reqwest*", "ureq*", "urllib.request*",
            "urlopen(", "HttpClient*", "net.Dial*", "TcpStream::connect(", "@shell curl ", "@shell wget ",
            "URLSession*", "OkHttpClient*", "Net::HTTP*", "file_get_contents(\"http*",
        ],
        around: &[
            "socket.*", "socket(", "new WebSocket(", "XMLHttpRequest*", "sendBeacon(", "new Image().src",
            "UdpSocket*", "aiohttp*", "git clone", "\"git\", \"clone\"", "\"\"curl\"", "\"\"wget\"", "nslookup",
            "lookup_host", "EventSource(",
        ],
        ..NONE
    },
    Concept {
        name: "blocking calls",
        mentions: &[
            "blocking", "blocking calls", "blocking call", "blocking i/o", "blocking io", "synchronous",
            "synchronous i/o", "sync i/o", "block the event loop", "synchronous file",
        ],
        shows: &[
            "readFileSync(", "writeFileSync(", "existsSync(", "execSync(", "@js *Sync(", "@rust std::fs::*",
            "@rust std::thread::sleep*", "@rust thread::sleep*", "time.sleep(", "@python requests.*",
            "@csharp *.Result", "@csharp *.Wait()", "@csharp GetAwaiter().GetResult()", "block_on(",
            "@kotlin runBlocking*", "@rust reqwest::blocking*", "@python open(",
        ],
        around: &[
            "Atomics.wait(", "run_until_complete(", "asyncio.run(", "@java .get()", "@java .join()",
            "blocking_recv(", "blocking_lock(", "blocking_send(", "@python subprocess.run(", "@python urlopen(",
            "while (!*",
        ],
        ..NONE
    },
    Concept {
        name: "threads",
        mentions: &["thread", "threads", "raw threads", "threading", "spawn threads"],
        shows: &[
            "thread::spawn(", "@java,csharp,kotlin new Thread(", "@kotlin thread {", "threading.Thread(",
            "pthread_create(", "std::thread", "@ruby Thread.new", "new Worker(", "import threading",
        ],
        around: &[
            "ThreadPoolExecutor(", "Executors.new*", "multiprocessing*", "spawn_blocking(", "GlobalScope.*",
            "std::async(", "rayon*", "ForkJoinPool*", "CompletableFuture.runAsync(", "@Async", "Task.Run(",
            "DispatchQueue.global(",
        ],
        ..NONE
    },
    Concept {
        name: "background work without an end",
        mentions: &[
            "goroutine", "goroutines", "fire and forget", "background task", "background tasks", "detached task",
            "detached tasks", "structured concurrency",
        ],
        shows: &[
            "@go go func*", "@go go *", "tokio::spawn(", "asyncio.create_task(", "asyncio.ensure_future(",
            "GlobalScope.*",
        ],
        defeats: &[
            "context.WithoutCancel(", "context.Background()", "context.TODO()", "NonCancellable", "daemon=True",
            ".detach()", "mem::forget(", "GlobalScope.*", "setDaemon(true)", "asyncio.shield(",
        ],
        ..NONE
    },
    Concept {
        name: "an end that can be awaited",
        mentions: &[
            "stop signal", "goroutine + stop", "goroutine + wait", "task + wait", "task + stop", "thread + stop",
            "thread + join",
            "can be stopped", "cancellable", "cancelled", "cancellation", "graceful shutdown",
        ],
        shows: &[
            "*.Done()", "<-*", "select {", "wg.*", "WaitGroup", "errgroup*", "ctx.*", "*stop*", "*quit*", "*done*",
            "cancel*", ".join(", "JoinHandle*", "await ", "CancellationToken*", "shutdown*", "AbortController*",
            "signal*",
        ],
        defeats: &[
            "context.WithoutCancel(", "context.Background()", "context.TODO()", "NonCancellable",
            "CancellationToken.None", "mem::forget(", ".detach()", "SIGKILL", "kill -9", "os._exit(",
        ],
        ..NONE
    },
    Concept {
        name: "the caller's context",
        mentions: &[
            "context is passed", "pass the context", "caller's context", "request context", "context.context",
            "context parameter", "propagate context", "propagates the context", "context propagation",
            "first argument is ctx", "ctx",
        ],
        breaks: &["@go context.Background()", "@go context.TODO()"],
        defeats: &["context.WithoutCancel(", "@go ctx = nil"],
        ..NONE
    },
    Concept {
        name: "a timeout",
        mentions: &["timeout", "timeouts", "deadline", "deadlines", "time limit", "time-out"],
        shows: &["~*timeout*", "~*deadline*", "AbortSignal*", "signal", "timeout "],
        breaks: &[
            "timeout=None", "timeout: 0", "timeout = 0", "setTimeout(0)", "http.Get(", "http.Post(",
            "http.DefaultClient", "@python requests.get( & !timeout", "@python requests.post( & !timeout",
            "@python urlopen( & !timeout", "@js fetch( & !signal & !init & !options & !opts",
            "@js axios.get( & !timeout", "&http.Client{}",
            "@shell curl  & !--max-time & !-m ", "reqwest::get(",
        ],
        defeats: &[
            "timeout=-1", "timeout: Infinity", "math.MaxInt*", "Duration::MAX", "Duration.ZERO", "Timeout.Infinite",
            "context.WithoutCancel(", "timeout=999*", "timeout: 999*", "timeout = -1",
        ],
        ..NONE
    },
    Concept {
        name: "manual memory",
        mentions: &[
            "malloc", "dynamic allocation", "dynamic memory", "heap allocation", "heap", "allocate memory",
            "allocation",
        ],
        shows: &[
            "@c,cpp malloc(", "@c,cpp calloc(", "@c,cpp realloc(", "@c,cpp free(", "@cpp new ", "@rust Box::new(",
            "@rust Vec::new(", "@rust vec![", "@rust String::from(", "@rust .to_vec()", "@cpp std::make_unique",
            "@cpp std::make_shared",
        ],
        around: &[
            "@c,cpp strdup(", "@c,cpp asprintf(", "@c,cpp getline(", "@c,cpp alloca(", "@c,cpp aligned_alloc(",
            "@cpp std::vector", "@cpp std::string", "@cpp std::function", "@rust format!(", "@rust .to_string()",
            "@rust .to_owned()", "@rust .collect*", "xmalloc(", "@c,cpp open_memstream(", "pvPortMalloc(",
        ],
        ..NONE
    },
    Concept {
        name: "owning raw pointers",
        mentions: &[
            "raw pointer", "raw pointers", "owning raw pointers", "raw new", "naked new", "new and delete",
            "smart pointer", "smart pointers", "unique_ptr",
        ],
        breaks: &["@cpp *= new ", "@cpp return new ", "@cpp delete ", "@cpp malloc("],
        defeats: &["@cpp *.release()", "@cpp const_cast<"],
        ..NONE
    },
    Concept {
        name: "unbounded string functions",
        mentions: &[
            "unbounded string", "unbounded copy", "unbounded copies", "bounded string", "bounded copy", "strcpy",
            "sprintf", "buffer overflow", "buffer overflows", "bounds-checked", "length-checked",
            "unbounded string functions",
        ],
        breaks: &["@c,cpp strcpy(", "@c,cpp strcat(", "@c,cpp sprintf(", "@c,cpp vsprintf(", "@c,cpp gets("],
        defeats: &["@c,cpp stpcpy(", "@c,cpp memcpy( & strlen(", "@c,cpp wcscpy("],
        ..NONE
    },
    Concept {
        name: "leaving the process",
        mentions: &[
            "process exit", "exit the process", "exits the process", "exit calls", "terminate the process",
            "sys.exit", "os.exit", "process.exit", "system.exit",
        ],
        shows: &[
            "process.exit(", "os.Exit(", "System.exit(", "sys.exit(", "process::exit(", "@c,cpp exit(",
            "@python exit(", "@python quit(", "Environment.Exit(",
        ],
        around: &[
            "log.Fatal*", "os._exit(", "process.kill(process.pid", "process.abort(", "Runtime.getRuntime().halt(",
            "raise SystemExit", "process::abort(", "@c,cpp abort(", "@c,cpp _exit(", "syscall.Exit(",
            "os.kill(os.getpid(",
        ],
        ..NONE
    },
    Concept {
        name: "cgo",
        mentions: &["cgo", "native dependency", "native dependencies", "pure go"],
        breaks: &[
            "\"*import \"C\"", "^#cgo", "CGO_ENABLED=1", "CGO_ENABLED: 1", "\"CGO_ENABLED: \"1\"", "C.CString(",
        ],
        defeats: &[
            "\"*mattn/go-sqlite3", "\"*confluent-kafka-go*", "\"*libgit2/git2go*", "\"*h2non/bimg*",
            "\"*gographics/imagick*", "\"*gocv.io*", "\"*go-gl/*", "\"*rakyll/portmidi*", "\"*veandco/go-sdl2*",
            "\"*google/gopacket/pcap*", "\"*linxGnu/grocksdb*", "\"*tecbot/gorocksdb*",
            "\"*shirou/gopsutil/v3/host*", "\"*godror*", "\"*plugin\"", "gcc ", "-buildmode=c-shared", "-extldflags",
        ],
        ..NONE
    },
    Concept {
        name: "the process environment",
        mentions: &[
            "process.env", "os.environ", "environment variables", "environment variable", "process environment",
            "env vars",
        ],
        shows: &[
            "process.env*", "os.environ*", "os.getenv(", "os.Getenv(", "System.getenv(", "env::var*", "ENV[*",
            "getenv(", "import.meta.env*", "Environment.GetEnvironmentVariable(",
        ],
        around: &[
            "import dotenv", "\"*dotenv*", "globalThis.process", "os.LookupEnv(", "os.Environ(",
            "/proc/self/environ", "std::env::vars*", "printenv",
        ],
        ..NONE
    },
];
