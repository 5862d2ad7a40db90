//! Each header of C, POSIX and glibc that the machine has, included alone, is understood without a
//! warning, and so are those of intrinsics.

use std::fs;
use std::process::Command;

use lakatos_c::{Options, compile};
use lakatos_ir::Source;

const HEADERS: &str = "
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
    stdarg stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath
    threads time uchar wchar wctype

    aio arpa/inet cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen monetary
    mqueue ndbm net/if netdb netinet/in netinet/tcp nl_types poll pthread pwd regex sched search
    semaphore spawn strings stropts sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm
    sys/socket sys/stat sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait
    syslog tar termios ulimit unistd utime utmpx wordexp

    alloca argp argz byteswap crypt elf endian envz err error execinfo features fts getopt gnu/libc-version
    ifaddrs libintl link malloc memory mntent obstack paths printf pty quadmath resolv sys/cdefs
    sys/epoll sys/eventfd sys/inotify sys/ioctl sys/mount sys/param sys/prctl sys/ptrace sys/queue
    sys/random sys/signalfd sys/syscall sys/sysinfo sys/timerfd ucontext values

    cpuid emmintrin immintrin x86intrin xmmintrin";

#[test]
fn every_header_is_understood() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("p.c");
    let (mut known, mut problems) = (0, Vec::new());
    for header in HEADERS.split_whitespace() {
        let text = format!("#include <{header}.h>\nint main(void) {{ return 0; }}\n");
        fs::write(&file, text).expect("it can be written");
        let Ok(output) = Command::new("cc").arg("-E").arg(&file).output() else {
            eprintln!("skipped: there is no C compiler");
            return;
        };
        if !output.status.success() {
            continue;
        }
        known += 1;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        match compile(Source::new("p.c", text), &Options::default()) {
            Ok(program) => {
                problems
                    .extend(program.warnings.first().map(|w| format!("{header}: {}", w.message)));
            }
            Err(failure) => problems.push(format!("{header}: {}", failure.diagnostics[0].message)),
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    eprintln!("{known} headers");
}
