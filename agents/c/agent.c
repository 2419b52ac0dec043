/* An agent for thurn in C11: one file, only the standard library.
 *
 *     cc -O2 -Wall -Wextra -Werror -o agent agent.c
 *     thurn watch --agents exec:./agent greedy
 *
 * It speaks the protocol thurn-agent/1 (docs/agent_protocol.md): JSON lines on standard input and output. Standard
 * error is its log, so write there with fprintf(stderr, ...). Standard output belongs to the protocol: never printf.
 *
 * Begin at `choose`. The reader of JSON comes after it, the protocol at the end of the file.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "random in C"
#define VERSION "1.0"
#define PROTOCOL "thurn-agent/1"

/* ------------------------------------------------------------------------------------------------- values of JSON */

enum kind { NOTHING, FALSE, TRUE, NUMBER, TEXT, LIST, OBJECT };

/* A value of a message. Lists and objects are chains: from `first` along `next`. */
struct value {
    enum kind kind;
    double number;       /* of a NUMBER */
    const char *text;    /* of a TEXT: UTF-8 */
    size_t size;         /* of a LIST or an OBJECT: number of entries */
    struct value *first; /* of a LIST or an OBJECT; NULL when it is empty */
    struct value *next;  /* the entry after this one; NULL for the last one */
    const char *name;    /* of an entry of an OBJECT */
};

static const struct value *find(const struct value *object, const char *name);
static const struct value *member(const struct value *object, const char *name);
static const struct value *entry(const struct value *list, size_t place);
static double number(const struct value *object, const char *name);
static const char *text(const struct value *object, const char *name);

/* ------------------------------------------------------------------------------------------------------ your agent */

/* What stays the same during one game. */
struct game {
    char name[64];             /* "thurn_und_taxis" or another game */
    int seat;                  /* this agent's seat, from 0 */
    int players;               /* number of players */
    const struct value *start; /* the whole message game_start: board, options, actions, ... */
    uint64_t random;           /* state of the random generator */
};

static size_t below(struct game *game, size_t limit);

/* Choose an action and return its index. Write your own agent here.
 *
 * `request` has the seat's view (`view`, with the open information in `public` and the hand in `own`) and the legal
 * actions (`legal`, a list of objects with `index` and `text`). For example, the size of this seat's hand is
 *
 *     const struct value *players = member(member(member(request, "view"), "public"), "players");
 *     double cards = number(entry(players, game->seat), "hand_size");
 *
 * and the text of the first legal action text(entry(member(request, "legal"), 0), "text").
 */
static long choose(const struct value *request, struct game *game)
{
    const struct value *legal = member(request, "legal");
    return (long)number(entry(legal, below(game, legal->size)), "index");
}

/* Return a random number from 0 up to, but not including, `limit`. */
static size_t below(struct game *game, size_t limit)
{
    /* SplitMix64 */
    uint64_t mixed = game->random += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return (size_t)((mixed ^ (mixed >> 31)) % limit);
}

/* ------------------------------------------------------------------------------------------------------ JSON reader */

#define DEEPEST 64 /* lists and objects within each other */

/* A line from the host and the values in it. It keeps its memory for the next line. */
struct document {
    char *text;
    size_t length;
    size_t room;
    struct value *values;
    size_t used;
    size_t values_room;
};

/* A place in a document. */
struct reader {
    struct document *document;
    char *at;
    int depth;
};

/* End the program with a reason; `name` is shown after it, unless it is NULL. */
static void fail(const char *reason, const char *name)
{
    if (name == NULL)
        fprintf(stderr, "agent: %s\n", reason);
    else
        fprintf(stderr, "agent: %s \"%.200s\"\n", reason, name);
    exit(EXIT_FAILURE);
}

static void fail_to_read(const struct reader *reader, const char *problem)
{
    fprintf(stderr, "agent: the host sent a line that is not JSON: %s at byte %ld\n", problem,
            (long)(reader->at - reader->document->text));
    exit(EXIT_FAILURE);
}

static void *grown(void *memory, size_t bytes)
{
    memory = realloc(memory, bytes);
    if (memory == NULL)
        fail("out of memory", NULL);
    return memory;
}

static void skip_blanks(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t\r\n");
}

static bool skip(struct reader *reader, char wanted)
{
    skip_blanks(reader);
    if (*reader->at != wanted)
        return false;
    reader->at++;
    return true;
}

static unsigned read_hexadecimal(struct reader *reader)
{
    unsigned code = 0;
    for (int digit = 0; digit < 4; digit++, reader->at++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *found = *reader->at ? strchr(digits, *reader->at) : NULL;
        if (found == NULL)
            fail_to_read(reader, "a wrong \\u escape");
        code = code * 16 + (unsigned)(found - digits) % 16;
    }
    return code;
}

/* Read what comes after \u, and write it as UTF-8; half a pair becomes U+FFFD. Return the end of what was written. */
static char *read_unicode(struct reader *reader, char *out)
{
    unsigned code = read_hexadecimal(reader);
    if (code >= 0xd800 && code < 0xdc00 && reader->at[0] == '\\' && reader->at[1] == 'u') {
        char *before = reader->at;
        reader->at += 2;
        unsigned low = read_hexadecimal(reader);
        if (low >= 0xdc00 && low < 0xe000)
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        else
            reader->at = before;
    }
    if (code >= 0xd800 && code < 0xe000)
        code = 0xfffd;
    if (code == 0)
        fail_to_read(reader, "a text with a zero character");
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xc0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *out++ = (char)(0xe0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    } else {
        *out++ = (char)(0xf0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3f));
        *out++ = (char)(0x80 | (code >> 6 & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    }
    return out;
}

/* Read a text and write it over itself: without escapes it is never longer. */
static const char *read_text(struct reader *reader)
{
    if (!skip(reader, '"'))
        fail_to_read(reader, "a text is missing");
    char *start = reader->at;
    char *out = start;
    while (*reader->at != '"') {
        unsigned char here = (unsigned char)*reader->at;
        if (here < 0x20)
            fail_to_read(reader, here ? "a control character in a text" : "the end of the line in a text");
        reader->at++;
        if (here != '\\') {
            *out++ = (char)here;
        } else if (*reader->at == 'u') {
            reader->at++;
            out = read_unicode(reader, out);
        } else {
            const char *escapes = "\"\\/bfnrt";
            const char *found = *reader->at ? strchr(escapes, *reader->at) : NULL;
            if (found == NULL)
                fail_to_read(reader, "an unknown escape");
            *out++ = "\"\\/\b\f\n\r\t"[found - escapes];
            reader->at++;
        }
    }
    reader->at++;
    *out = '\0';
    return start;
}

static double read_number(struct reader *reader)
{
    const char *digits = "0123456789";
    char *start = reader->at;
    char *at = start + (*start == '-');
    size_t whole = strspn(at, digits);
    bool good = whole > 0 && (whole == 1 || *at != '0');
    at += whole;
    if (*at == '.') {
        size_t places = strspn(++at, digits);
        good = good && places > 0;
        at += places;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        size_t places = strspn(at, digits);
        good = good && places > 0;
        at += places;
    }
    if (!good)
        fail_to_read(reader, "a wrong value");
    reader->at = at;
    return strtod(start, NULL);
}

static bool skip_word(struct reader *reader, const char *word)
{
    if (strncmp(reader->at, word, strlen(word)) != 0)
        return false;
    reader->at += strlen(word);
    return true;
}

static struct value *read_value(struct reader *reader);

/* Read the entries of a list or an object up to `end`. */
static void read_entries(struct reader *reader, struct value *whole, char end)
{
    if (++reader->depth > DEEPEST)
        fail_to_read(reader, "lists within lists too deep");
    struct value **next = &whole->first;
    if (!skip(reader, end)) {
        do {
            const char *name = NULL;
            if (whole->kind == OBJECT) {
                name = read_text(reader);
                if (find(whole, name) != NULL)
                    fail_to_read(reader, "a second field of the same name");
                if (!skip(reader, ':'))
                    fail_to_read(reader, "a missing colon");
            }
            *next = read_value(reader);
            (*next)->name = name;
            next = &(*next)->next;
            whole->size++;
        } while (skip(reader, ','));
        if (!skip(reader, end))
            fail_to_read(reader, "a missing comma or bracket");
    }
    reader->depth--;
}

static struct value *read_value(struct reader *reader)
{
    struct value *value = &reader->document->values[reader->document->used++];
    *value = (struct value){.kind = NOTHING};
    skip_blanks(reader);
    if (*reader->at == '"') {
        value->kind = TEXT;
        value->text = read_text(reader);
    } else if (skip(reader, '{')) {
        value->kind = OBJECT;
        read_entries(reader, value, '}');
    } else if (skip(reader, '[')) {
        value->kind = LIST;
        read_entries(reader, value, ']');
    } else if (skip_word(reader, "true")) {
        value->kind = TRUE;
    } else if (skip_word(reader, "false")) {
        value->kind = FALSE;
    } else if (!skip_word(reader, "null")) {
        value->kind = NUMBER;
        value->number = read_number(reader);
    }
    return value;
}

/* Read the line of a document. */
static const struct value *read_document(struct document *document)
{
    size_t most = 1; /* Every other value comes after one of these characters. */
    for (size_t place = 0; place < document->length; place++)
        most += strchr("[{,:", document->text[place]) != NULL;
    if (most > document->values_room) {
        document->values = grown(document->values, most * sizeof(struct value));
        document->values_room = most;
    }
    document->used = 0;
    struct reader reader = {document, document->text, 0};
    const struct value *value = read_value(&reader);
    skip_blanks(&reader);
    if (reader.at != document->text + document->length)
        fail_to_read(&reader, "more after the end");
    return value;
}

/* Return a member of an object, or NULL. */
static const struct value *find(const struct value *object, const char *name)
{
    if (object->kind != OBJECT)
        return NULL;
    const struct value *found = object->first;
    while (found != NULL && strcmp(found->name, name) != 0)
        found = found->next;
    return found;
}

/* Return a member of an object, which has to be there. */
static const struct value *member(const struct value *object, const char *name)
{
    const struct value *found = find(object, name);
    if (found == NULL)
        fail("a message lacks the field", name);
    return found;
}

/* Return the entry of a list at a place, counted from 0. */
static const struct value *entry(const struct value *list, size_t place)
{
    if (list->kind != LIST || place >= list->size)
        fail("a list is shorter than expected", NULL);
    const struct value *found = list->first;
    while (place-- > 0)
        found = found->next;
    return found;
}

static double number(const struct value *object, const char *name)
{
    const struct value *found = member(object, name);
    if (found->kind != NUMBER)
        fail("a message has no number in the field", name);
    return found->number;
}

static const char *text(const struct value *object, const char *name)
{
    const struct value *found = member(object, name);
    if (found->kind != TEXT)
        fail("a message has no text in the field", name);
    return found->text;
}

/* ----------------------------------------------------------------------------------------------------- the protocol */

#define MOST_FIELDS 10

static const struct {
    const char *type;
    const char *fields[MOST_FIELDS + 1];
} MESSAGES[] = {
    {"hello", {"protocol", "game", "version"}},
    {"game_start",
     {"seat", "start_player", "move", "seed", "players", "options", "board", "actions", "view", "time"}},
    {"event", {"move", "seat", "action", "changes"}},
    {"request", {"request", "view", "legal", "observation", "deadline_ms"}},
    {"game_end", {"scores", "ranks", "record", "reason"}},
    {"ping", {"ping"}},
    {"error", {"reason"}},
    {"quit", {NULL}},
};

/* Refuse messages of an unknown type, and unknown fields. */
static void check(const struct value *message)
{
    if (message->kind != OBJECT)
        fail("the host sent a line that is not a JSON object", NULL);
    const char *type = text(message, "type");
    for (size_t place = 0; place < sizeof MESSAGES / sizeof MESSAGES[0]; place++) {
        if (strcmp(MESSAGES[place].type, type) != 0)
            continue;
        for (const struct value *given = message->first; given != NULL; given = given->next) {
            const char *const *known = MESSAGES[place].fields;
            while (*known != NULL && strcmp(*known, given->name) != 0)
                known++;
            if (*known == NULL && strcmp(given->name, "type") != 0)
                fail("the host sent a message with the unknown field", given->name);
        }
        return;
    }
    fail("the host sent a message of the unknown type", type);
}

/* Read a line from standard input; return false at the end. */
static bool read_line(struct document *document)
{
    document->length = 0;
    for (;;) {
        int byte = getchar();
        if (byte == EOF)
            return false;
        if (document->length + 1 >= document->room) {
            document->room = document->room ? 2 * document->room : 65536;
            document->text = grown(document->text, document->room);
        }
        if (byte == '\n') {
            document->text[document->length] = '\0';
            return true;
        }
        document->text[document->length++] = (char)byte;
    }
}

static void start_game(const struct value *message, struct game *game)
{
    game->seat = (int)number(message, "seat");
    game->players = (int)number(message, "players");
    game->start = message;
    /* The seed has 64 bits, too many for a double, and therefore comes as text. */
    game->random = strtoull(text(message, "seed"), NULL, 10);
}

/* Answer the host until it says quit or closes the pipe. */
int main(void)
{
    static struct document line;
    static struct document start; /* the last message game_start, to which the game points */
    static struct game game;
    while (read_line(&line)) {
        const struct value *message = read_document(&line);
        check(message);
        const char *type = text(message, "type");
        if (strcmp(type, "hello") == 0) {
            if (strcmp(text(message, "protocol"), PROTOCOL) != 0)
                fail("this agent speaks only " PROTOCOL ", the host", text(message, "protocol"));
            snprintf(game.name, sizeof game.name, "%s", text(message, "game"));
            printf("{\"type\":\"hello\",\"protocol\":\"%s\",\"name\":\"%s\",\"version\":\"%s\"}\n", PROTOCOL, NAME,
                   VERSION);
        } else if (strcmp(type, "game_start") == 0) {
            start_game(message, &game);
            struct document old = start;
            start = line;
            line = old;
            printf("{\"type\":\"ready\"}\n");
        } else if (strcmp(type, "request") == 0) {
            if (member(message, "legal")->size == 0)
                fail("the host sent a request without legal actions", NULL);
            long action = choose(message, &game);
            printf("{\"type\":\"action\",\"request\":%.0f,\"action\":%ld}\n", number(message, "request"), action);
        } else if (strcmp(type, "ping") == 0) {
            printf("{\"type\":\"pong\",\"ping\":%.0f}\n", number(message, "ping"));
        } else if (strcmp(type, "error") == 0) {
            fprintf(stderr, "agent: the host refused a message: %s\n", text(message, "reason"));
            return EXIT_FAILURE;
        } else if (strcmp(type, "quit") == 0) {
            return EXIT_SUCCESS;
        } /* event and game_end need no answer */
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
