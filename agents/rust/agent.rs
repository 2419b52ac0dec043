//! An agent for thurn in Rust: one file, no crates.
//!
//!     rustc -O -o agent agent.rs
//!     thurn watch --agents exec:./agent greedy
//!
//! It speaks the protocol thurn-agent/1 (docs/agent_protocol.md): JSON lines on standard input and output. Standard
//! error is its log, so write there with `eprintln!`. Standard output belongs to the protocol: never use `println!`.
//!
//! Begin at `choose`. The protocol comes after it, the reader of JSON at the end of the file.

use std::fmt::Write as _;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const NAME: &str = "one move ahead in Rust";
const VERSION: &str = "1.0";

// ------------------------------------------------------------------------------------------------------- your agent

/// Choose an action and return its index. Write your own agent here.
///
/// `request` has the seat's view (`view`, with the open information in `public` and the hand in `own`) and the legal
/// actions (`legal`, a list of objects with `index` and `text`). `game` has what stays the same during a game. The host
/// samples positions that agree with the view and plays actions in them.
///
/// This agent tries every legal action in one sampled position. It returns the action after which its own score leads
/// by most, and draws lots between equals. It uses at most half of its time.
fn choose(request: &Json, game: &mut Game, host: &mut Host) -> Result<f64, String> {
    let begin = Instant::now();
    let legal = request.member("legal")?.list()?;
    let sampled = host.sample(request, 1)?;
    let position = sampled.member("positions")?.entry(0)?.member("position")?.number()?;
    let mut best = Vec::new();
    let mut best_lead = f64::NEG_INFINITY;
    for action in legal {
        if game.time_is_short(request, begin)? {
            break;
        }
        let text = action.member("text")?.text()?;
        let Some(after) = host.simulate(request, position, &[text])? else {
            continue; // illegal in this position
        };
        let lead = lead(game.seat, &after)?;
        if lead > best_lead {
            best_lead = lead;
            best.clear();
        }
        if lead == best_lead {
            best.push(action);
        }
    }
    let candidates = if best.is_empty() { legal.iter().collect() } else { best };
    candidates[game.below(candidates.len())].member("index")?.number()
}

/// Return how far the score of a seat is ahead of the best other one.
fn lead(seat: usize, position: &Json) -> Result<f64, String> {
    let mut own = 0.0;
    let mut others = f64::NEG_INFINITY;
    for (owner, score) in position.member("scores")?.list()?.iter().enumerate() {
        if owner == seat {
            own = score.number()?;
        } else {
            others = others.max(score.number()?);
        }
    }
    Ok(own - others)
}

/// What stays the same during one game.
#[allow(dead_code)] // Your agent may need what this one does not.
struct Game {
    /// Name of the game, such as "thurn_und_taxis".
    name: String,
    /// This agent's seat, from 0.
    seat: usize,
    /// The whole message game_start: board, options, actions, ...
    start: Json,
    /// State of the random generator.
    random: u64,
}

impl Game {
    /// Return a random number from 0 up to, but not including, `limit`.
    fn below(&mut self, limit: usize) -> usize {
        // SplitMix64
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    /// Return whether half of the time for a request has passed.
    fn time_is_short(&self, request: &Json, begin: Instant) -> Result<bool, String> {
        Ok(match request.member("deadline_ms")? {
            Json::Null => false,
            limit => begin.elapsed() > Duration::from_secs_f64(limit.number()? / 2000.0),
        })
    }
}

// ----------------------------------------------------------------------------------------------------- the protocol

const PROTOCOL: &str = "thurn-agent/1";

/// Fields of the messages from the host, `type` apart.
const MESSAGES: &[(&str, &[&str])] = &[
    ("hello", &["protocol", "game", "version"]),
    ("game_start", &["seat", "start_player", "move", "seed", "players", "options", "board", "actions", "view", "time"]),
    ("event", &["move", "seat", "action", "changes"]),
    ("request", &["request", "view", "legal", "observation", "deadline_ms"]),
    ("positions", &["request", "positions"]),
    ("simulated", &["request", "position", "seat", "over", "scores", "ranks", "view", "legal"]),
    ("illegal", &["request", "move", "reason"]),
    ("game_end", &["scores", "ranks", "record", "reason"]),
    ("ping", &["ping"]),
    ("error", &["reason"]),
    ("quit", &[]),
];

/// Refuse messages of an unknown type, and unknown fields.
fn check(message: &Json) -> Result<(), String> {
    if !matches!(message, Json::Object(_)) {
        return Err("the host sent a line that is not a JSON object".into());
    }
    let kind = message.member("type")?.text()?;
    let Some((_, known)) = MESSAGES.iter().find(|(name, _)| *name == kind) else {
        return Err(format!("the host sent a message of the unknown type \"{kind}\""));
    };
    match message.names().find(|name| *name != "type" && !known.contains(name)) {
        Some(name) => Err(format!("the host sent the unknown field \"{name}\" in a message of type \"{kind}\"")),
        None => Ok(()),
    }
}

/// The program at the other end of standard input and output.
struct Host {
    input: std::io::StdinLock<'static>,
    output: std::io::StdoutLock<'static>,
}

impl Host {
    /// Return the next message; None at the end. Pings are answered on the way.
    fn receive(&mut self) -> Result<Option<Json>, String> {
        loop {
            let mut line = Vec::new();
            let length = self.input.read_until(b'\n', &mut line).map_err(|error| error.to_string())?;
            if length == 0 {
                return Ok(None);
            }
            let text = std::str::from_utf8(&line)
                .map_err(|error| format!("the host sent bytes that are not UTF-8: {error}"))?;
            let message =
                Reader::read(text).map_err(|error| format!("the host sent a line that is not JSON: {error}"))?;
            check(&message)?;
            match message.member("type")?.text()? {
                "ping" => {
                    let number = message.member("ping")?.number()?;
                    self.send(&format!(r#"{{"type":"pong","ping":{number}}}"#))?;
                }
                "error" => return Err(format!("the host refused a message: {}", message.member("reason")?.text()?)),
                _ => return Ok(Some(message)),
            }
        }
    }

    fn send(&mut self, message: &str) -> Result<(), String> {
        writeln!(self.output, "{message}").and_then(|()| self.output.flush()).map_err(|error| error.to_string())
    }

    /// Sample positions that agree with the view of a request, and return the message `positions`.
    fn sample(&mut self, request: &Json, count: usize) -> Result<Json, String> {
        let number = request.member("request")?.number()?;
        self.send(&format!(r#"{{"type":"sample","request":{number},"count":{count}}}"#))?;
        self.answer(&["positions"])
    }

    /// Play actions in a position and return the message `simulated`; None if one of them is illegal there.
    fn simulate(&mut self, request: &Json, position: f64, actions: &[&str]) -> Result<Option<Json>, String> {
        let number = request.member("request")?.number()?;
        let actions = actions.iter().map(|action| quoted(action)).collect::<Vec<_>>().join(",");
        self.send(&format!(r#"{{"type":"simulate","request":{number},"position":{position},"actions":[{actions}]}}"#))?;
        let answer = self.answer(&["simulated", "illegal"])?;
        Ok(if answer.member("type")?.text()? == "simulated" { Some(answer) } else { None })
    }

    fn answer(&mut self, kinds: &[&str]) -> Result<Json, String> {
        let answer = self.receive()?.ok_or("the host closed the pipe in the middle of a request")?;
        let kind = answer.member("type")?.text()?;
        if !kinds.contains(&kind) {
            return Err(format!("the host sent \"{kind}\" and not {}", kinds.join(" or ")));
        }
        Ok(answer)
    }
}

/// Answer the host until it says quit or closes the pipe.
fn play() -> Result<(), String> {
    let mut host = Host { input: std::io::stdin().lock(), output: std::io::stdout().lock() };
    let mut game = Game { name: String::new(), seat: 0, start: Json::Null, random: 0 };
    while let Some(message) = host.receive()? {
        match message.member("type")?.text()? {
            "hello" => {
                let spoken = message.member("protocol")?.text()?;
                if spoken != PROTOCOL {
                    return Err(format!("this agent speaks only {PROTOCOL}, the host \"{spoken}\""));
                }
                game.name = message.member("game")?.text()?.to_string();
                host.send(&format!(
                    r#"{{"type":"hello","protocol":"{PROTOCOL}","name":"{NAME}","version":"{VERSION}"}}"#
                ))?;
            }
            "game_start" => {
                game.seat = message.member("seat")?.number()? as usize;
                // The seed has 64 bits, too many for a number of JSON, and therefore comes as text.
                game.random = message.member("seed")?.text()?.parse().map_err(|error| format!("seed: {error}"))?;
                game.start = message;
                host.send(r#"{"type":"ready"}"#)?;
            }
            "request" => {
                if message.member("legal")?.list()?.is_empty() {
                    return Err("the host sent a request without legal actions".into());
                }
                let action = choose(&message, &mut game, &mut host)?;
                let number = message.member("request")?.number()?;
                host.send(&format!(r#"{{"type":"action","request":{number},"action":{action}}}"#))?;
            }
            "quit" => return Ok(()),
            "event" | "game_end" => {} // need no answer
            kind => return Err(format!("the host sent \"{kind}\" without being asked")),
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    match play() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("agent: {reason}");
            ExitCode::FAILURE
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- JSON

/// A value of JSON.
enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

#[allow(dead_code)] // Your agent may need what this one does not.
impl Json {
    /// Return a member of an object.
    fn member(&self, name: &str) -> Result<&Json, String> {
        match self {
            Json::Object(members) => members.iter().find(|(own, _)| own == name).map(|(_, value)| value),
            _ => return Err(format!("a value with the field \"{name}\" is no object")),
        }
        .ok_or_else(|| format!("a message lacks the field \"{name}\""))
    }

    /// Return the names of an object's members.
    fn names(&self) -> impl Iterator<Item = &str> {
        let members: &[(String, Json)] = match self {
            Json::Object(members) => members,
            _ => &[],
        };
        members.iter().map(|(name, _)| name.as_str())
    }

    fn list(&self) -> Result<&[Json], String> {
        match self {
            Json::List(entries) => Ok(entries),
            _ => Err("a value is no list".into()),
        }
    }

    /// Return the entry of a list at a place, counted from 0.
    fn entry(&self, place: usize) -> Result<&Json, String> {
        self.list()?.get(place).ok_or_else(|| "a list is shorter than expected".into())
    }

    fn text(&self) -> Result<&str, String> {
        match self {
            Json::Text(text) => Ok(text),
            _ => Err("a value is no text".into()),
        }
    }

    fn number(&self) -> Result<f64, String> {
        match self {
            Json::Number(number) => Ok(*number),
            _ => Err("a value is no number".into()),
        }
    }

    fn truth(&self) -> Result<bool, String> {
        match self {
            Json::Bool(truth) => Ok(*truth),
            _ => Err("a value is neither true nor false".into()),
        }
    }
}

/// Return a text as JSON.
fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            control if control < ' ' => write!(json, "\\u{:04x}", control as u32).expect("a String takes any text"),
            _ => json.push(character),
        }
    }
    json + "\""
}

const DEEPEST: usize = 64; // lists and objects within each other

/// Reads JSON strictly. `at` is the number of bytes read so far.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn read(text: &'a str) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        let value = reader.value()?;
        match reader.peek() {
            None => Ok(value),
            Some(_) => reader.error("more after the end"),
        }
    }

    fn error<T>(&self, problem: &str) -> Result<T, String> {
        Err(format!("{problem} at byte {}", self.at))
    }

    /// Skip blanks and return the next byte.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self) -> Result<Json, String> {
        match self.peek() {
            Some(b'"') => self.string().map(Json::Text),
            Some(b'[') => self.entries(b']', Self::value).map(Json::List),
            Some(b'{') => self.object(),
            _ => {
                for (word, value) in [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))] {
                    if self.text[self.at..].starts_with(word) {
                        self.at += word.len();
                        return Ok(value);
                    }
                }
                self.number()
            }
        }
    }

    /// Read entries up to a bracket.
    fn entries<T>(&mut self, end: u8, read: fn(&mut Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        self.at += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.error("lists within lists too deep");
        }
        let mut entries = Vec::new();
        if !self.skip(end) {
            entries.push(read(self)?);
            while self.skip(b',') {
                entries.push(read(self)?);
            }
            if !self.skip(end) {
                return self.error("a missing comma or bracket");
            }
        }
        self.depth -= 1;
        Ok(entries)
    }

    fn object(&mut self) -> Result<Json, String> {
        let members = self.entries(b'}', |reader| {
            let name = reader.string()?;
            if !reader.skip(b':') {
                return reader.error("a missing colon");
            }
            Ok((name, reader.value()?))
        })?;
        for (place, (name, _)) in members.iter().enumerate() {
            if members[..place].iter().any(|(other, _)| other == name) {
                return self.error(&format!("a second field \"{name}\""));
            }
        }
        Ok(Json::Object(members))
    }

    fn string(&mut self) -> Result<String, String> {
        if !self.skip(b'"') {
            return self.error("a text is missing");
        }
        let mut text = String::new();
        loop {
            let Some(character) = self.text[self.at..].chars().next() else {
                return self.error("the end of the line in a text");
            };
            if character < ' ' {
                return self.error("a control character in a text");
            }
            self.at += character.len_utf8();
            match character {
                '"' => return Ok(text),
                '\\' => text.push(self.escape()?),
                _ => text.push(character),
            }
        }
    }

    /// Read what comes after a backslash. Half a pair becomes U+FFFD.
    fn escape(&mut self) -> Result<char, String> {
        let Some(&byte) = self.text.as_bytes().get(self.at) else {
            return self.error("the end of the line in a text");
        };
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => byte as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let mut code = self.hexadecimal()?;
                if (0xd800..0xdc00).contains(&code) && self.text[self.at..].starts_with("\\u") {
                    let before = self.at;
                    self.at += 2;
                    match self.hexadecimal()? {
                        low @ 0xdc00..=0xdfff => code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00),
                        _ => self.at = before,
                    }
                }
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return self.error("an unknown escape"),
        })
    }

    fn hexadecimal(&mut self) -> Result<u32, String> {
        match self.text.get(self.at..self.at + 4) {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                self.at += 4;
                Ok(u32::from_str_radix(digits, 16).expect("four digits"))
            }
            _ => self.error("a wrong \\u escape"),
        }
    }

    fn digits(&mut self) -> usize {
        let count = self.text.as_bytes()[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        count
    }

    /// Skip one of these bytes, if it is the next one.
    fn skip_any(&mut self, wanted: &[u8]) -> bool {
        let found = self.text.as_bytes().get(self.at).is_some_and(|byte| wanted.contains(byte));
        self.at += usize::from(found);
        found
    }

    fn number(&mut self) -> Result<Json, String> {
        let start = self.at;
        self.skip_any(b"-");
        let leading_zero = self.text[self.at..].starts_with('0');
        let whole = self.digits();
        let mut good = whole == 1 || (whole > 1 && !leading_zero);
        if self.skip_any(b".") {
            good &= self.digits() > 0;
        }
        if self.skip_any(b"eE") {
            self.skip_any(b"+-");
            good &= self.digits() > 0;
        }
        match self.text[start..self.at].parse() {
            Ok(number) if good => Ok(Json::Number(number)),
            _ => self.error("a wrong value"),
        }
    }
}
