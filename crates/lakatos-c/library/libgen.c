// Models of <libgen.h> (POSIX) as of glibc.

// What basename and dirname give where the path has no such part. The program may not change it.
static const char __lakatos_here[2] = ".";

// __xpg_basename: basename of <libgen.h>. Slashes at the end are cut off.
static char *__lakatos___xpg_basename(char *path)
{
    char *end;
    if (path == 0 || *path == 0)
        return (char *) __lakatos_here;
    end = path + __builtin_strlen(path);
    while (end != path && end[-1] == '/')
        end--;
    // Only slashes: the last one.
    if (end == path)
        return path + (__builtin_strlen(path) - 1);
    *end = 0;
    while (end != path && end[-1] != '/')
        end--;
    return end;
}

// dirname: POSIX.
static char *__lakatos_dirname(char *path)
{
    char *end;
    if (path == 0)
        return (char *) __lakatos_here;
    end = path + __builtin_strlen(path);
    while (end != path && end[-1] == '/')
        end--;
    while (end != path && end[-1] != '/')
        end--;
    if (end == path && *path != '/')
        return (char *) __lakatos_here;
    while (end != path && end[-1] == '/')
        end--;
    if (end == path) {
        // Two slashes at the start mean something else than one; more than two do not.
        end = path[1] == '/' && path[2] != '/' ? path + 2 : path + 1;
    }
    *end = 0;
    return path;
}
