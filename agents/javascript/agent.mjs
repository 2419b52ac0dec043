// An agent for thurn in JavaScript: one file, Node 18 or newer, no packages.
//
//     thurn watch --agents "exec:node agents/javascript/agent.mjs" greedy
//
// It speaks the protocol thurn-agent/1 (docs/agent_protocol.md): JSON lines on standard input and output. Standard
// error is its log, so write there with console.error. Standard output belongs to the protocol: never call console.log.
//
// Begin at `choose`. The strategy for Thurn und Taxis comes after it, the protocol at the end of the file.

const NAME = "route planner";
const VERSION = "1.0";

// --------------------------------------------------------------------------------------------------- your agent

/**
 * Choose an action. Write your own agent here.
 *
 * @param request what the host sent: `view.public` (open information), `view.own` (this seat's hand), `legal` (list of
 *   {index, text}) and `deadline_ms` (time for the answer, null without a limit).
 * @param game facts of this game: `name`, `seat`, `players`, `options`, `board`, and `random()`, a number from 0 up to
 *   1 from the game's seed.
 * @returns text or index of a legal action, or a promise of one.
 */
function choose(request, game) {
  if (game.name !== "thurn_und_taxis" || game.options.horses) {
    return anyOf(request.legal, game).text;
  }
  const planner = new RoutePlanner(request, game);
  const values = request.legal.map((action) => planner.valueOf(action.text));
  const best = Math.max(...values);
  return anyOf(request.legal.filter((_, position) => values[position] === best), game).text;
}

/** Return a random entry of a list. */
function anyOf(list, game) {
  return list[Math.floor(game.random() * list.length)];
}

// -------------------------------------------------------------------------------- a strategy for Thurn und Taxis

// Estimates, in points. They were chosen by hand; better ones are easy to find.
const TURN = 1.5; // price of a turn
const MISSING_CARD = 0.5; // price of a card that a plan needs and the hand lacks
const NEXT_CARRIAGE = 6; // value of a carriage as a step to the next one
const ON_THE_WAY = 0.3; // share of a province's tile that a house is worth before the province is complete
const UNKNOWN_CITY = 0.7; // value of a city not known yet, as a share of the mean value of all cities
const SPARE_CARD = 0.5; // value of a card that stays in the hand
const WINNING_END = 20; // value of ending the game while ahead, and price of ending it while behind
const LONGEST_WAIT = 4; // largest number of missing cards in a plan
const MOST_ROUTES = 50; // number of routes that a plan looks at, since a large hand has too many

/**
 * Values the actions of one decision: an action is worth the points of the best route that can still be made of the
 * own route and hand, minus a price for every turn until then.
 *
 * A route is an array of cities, a hand an array of cards; without horses a card is the name of its city.
 */
class RoutePlanner {
  constructor(request, game) {
    const { board } = game;
    this.table = request.view.public;
    this.board = board;
    this.constants = board.constants;
    this.seat = game.seat;
    this.me = this.table.players[game.seat];
    this.hand = Object.entries(request.view.own.hand).flatMap(([city, number]) => Array(number).fill(city));
    this.official = !this.table.official_used;
    this.provinceOf = new Map(board.cities.map((city) => [city.name, city.province]));
    this.neighbours = new Map(board.cities.map((city) => [city.name, new Set()]));
    for (const [one, other] of board.roads) {
      this.neighbours.get(one).add(other);
      this.neighbours.get(other).add(one);
    }
    this.housesOf = new Set(this.me.houses);
    this.cityValues = this.valuesOfCities();
    this.unknownCity = (UNKNOWN_CITY * sum(this.cityValues.values())) / board.cities.length;
    // Values of plans and closings by route and hand: the same ones come up many times in one decision.
    this.plans = new Map();
    this.closings = new Map();
  }

  /** Return the value of a legal action. */
  valueOf(action) {
    const space = action.indexOf(" ");
    const verb = space < 0 ? action : action.slice(0, space);
    const what = space < 0 ? "" : action.slice(space + 1);
    const { route } = this.me;
    switch (verb) {
      case "take":
        return this.valueWithCard(what);
      case "draw":
        return this.valueOfUnseenCard();
      case "administrator": // six unseen cards to choose from, but the official is used up
        return this.valueOfUnseenCard() - 1;
      case "left":
      case "right":
      case "start":
        return this.valueAfterLaying(laid(route, verb, what), without(this.hand, what), this.official);
      case "end":
        return this.valueOfGoingOn(route, this.hand);
      case "close":
        return this.valueOfClosing(route, this.hand, this.official);
      case "spread":
        return this.valueOfSpread(route);
      case "fill":
        return this.valueOfFill(route, what);
      case "house":
        return this.cityValues.get(what);
      case "cartwright":
        return this.valueOfCarriage(route.length, true, 0);
      case "discard":
        return this.valueOfGoingOn([], without(this.hand, what));
      default: // leave, decline, and whatever a later version adds
        return 0;
    }
  }

  // -------------------------------------------------------------------- cards

  /** Return the value of drawing a card. */
  valueWithCard(card) {
    // While a card may be played, the postmaster draws another one and so is the official of this turn.
    const official = this.official && this.table.phase !== "play";
    return this.valueOfLaying([...this.hand, card], official);
  }

  /** Return the mean value of drawing a card from the deck. */
  valueOfUnseenCard() {
    if (this.unseen === undefined) {
      const cards = [...this.unseenCards()].filter(([, number]) => number > 0);
      const total = sum(cards.map(([card, number]) => number * this.valueWithCard(card)));
      this.unseen = total / Math.max(1, sum(cards.map(([, number]) => number)));
    }
    return this.unseen;
  }

  /** Return for every city the number of its cards that this seat cannot see. */
  unseenCards() {
    const { copies_per_city: copies } = this.constants;
    const unseen = new Map(this.board.cities.map((city) => [city.name, city.copies ?? copies]));
    const see = (card, number = 1) => unseen.set(card, unseen.get(card) - number);
    this.table.display.filter((card) => card !== null).forEach((card) => see(card));
    Object.entries(this.table.discard).forEach(([card, number]) => see(card, number));
    this.hand.forEach((card) => see(card));
    this.table.players.forEach((player, seat) => {
      player.route.forEach((card) => see(card));
      if (seat !== this.seat) {
        Object.entries(player.known_cards).forEach(([card, number]) => see(card, number));
      }
    });
    return unseen;
  }

  // -------------------------------------------------------------------- plans

  /** Return the value of laying the best card of a hand. */
  valueOfLaying(hand, official) {
    let best = -1000;
    for (const card of new Set(hand)) {
      const rest = without(hand, card);
      for (const longer of [...this.extensions(this.me.route, card), [card]]) {
        best = Math.max(best, this.valueAfterLaying(longer, rest, official));
      }
    }
    return best;
  }

  /** Return the value after laying a card; the postal carrier, an official, may lay another one. */
  valueAfterLaying(route, hand, official) {
    let best = this.valueOfEndingTurn(route, hand, official);
    if (official) {
      for (const card of new Set(hand)) {
        for (const longer of this.extensions(route, card)) {
          best = Math.max(best, this.valueOfEndingTurn(longer, without(hand, card), false));
        }
      }
    }
    return best;
  }

  valueOfEndingTurn(route, hand, official) {
    const goingOn = this.valueOfGoingOn(route, hand);
    if (route.length < this.constants.minimum_route) {
      return goingOn;
    }
    return Math.max(goingOn, this.valueOfClosing(route, hand, official));
  }

  /** Return the value of closing a route now, and of the cards that stay in the hand. */
  valueOfClosing(route, hand, official) {
    return this.gainOfClosing(route, route.length, official) + this.valueOfGoingOn([], hand);
  }

  /** Return the value of the best plan for the turns after this one: extend the route, or start another one. */
  valueOfGoingOn(route, hand) {
    if (this.table.final_round) {
      return 0; // no turn is left
    }
    const key = `${route}|${[...hand].sort()}`;
    if (!this.plans.has(key)) {
      this.plans.set(key, this.valueOfBestPlan(route, hand));
    }
    return this.plans.get(key);
  }

  valueOfBestPlan(route, hand) {
    if (route.length) {
      return Math.max(this.valueOfGoingOn([], hand), this.valueOfExtending(route, hand, 0));
    }
    const starts = [...new Set(hand)].map((card) => this.valueOfExtending([card], without(hand, card), 1));
    return Math.max(this.valueOfWaiting([], 0, hand.length), ...starts);
  }

  /** Return the value of the best plan that extends a route; `begun` cards of it are yet to be laid. */
  valueOfExtending(route, hand, begun) {
    let best = -1000;
    const waiting = [[route, hand]];
    const seen = new Set([`${route}`]);
    while (waiting.length) {
      const [longer, rest] = waiting.pop();
      const laidCards = begun + longer.length - route.length;
      best = Math.max(best, this.valueOfWaiting(longer, laidCards, rest.length));
      for (const card of rest) {
        for (const next of this.extensions(longer, card)) {
          if (seen.size < MOST_ROUTES && !seen.has(`${next}`)) {
            seen.add(`${next}`);
            waiting.push([next, without(rest, card)]);
          }
        }
      }
    }
    return best;
  }

  /** Return the value of closing a route, after drawing and laying as many unknown cards as is best. */
  valueOfWaiting(route, laidCards, spareCards) {
    let best = -1000;
    const shortest = Math.max(0, this.constants.minimum_route - route.length);
    for (let missing = shortest; missing <= shortest + LONGEST_WAIT; missing++) {
      const lays = laidCards + missing;
      // A turn lays one card and draws one; an official does one of these twice.
      const turns = Math.max(1, lays / 2, (lays + missing) / 3);
      const gain = this.gainOfClosing(route, route.length + missing, true);
      best = Math.max(best, gain + missing * (this.unknownCity - MISSING_CARD) - turns * TURN);
    }
    return best + Math.min(spareCards, this.constants.hand_limit) * SPARE_CARD;
  }

  /** Return the routes that a card makes of a route, at either end. */
  extensions(route, card) {
    if (!route.length || route.includes(card)) {
      return [];
    }
    const longer = [];
    if (this.neighbours.get(route[0]).has(card)) {
      longer.push([card, ...route]);
    }
    if (route.length > 1 && this.neighbours.get(route.at(-1)).has(card)) {
      longer.push([...route, card]);
    }
    return longer;
  }

  // -------------------------------------------------------------------- points

  /** Return the points of closing a route that has grown to `length` cities, and what they are good for. */
  gainOfClosing(route, length, official) {
    const key = `${route}|${length}|${official}`;
    if (!this.closings.has(key)) {
      const points = this.valueOfHouses(route) + this.valueOfDistance(length);
      this.closings.set(key, points + this.valueOfCarriage(length, official, points));
    }
    return this.closings.get(key);
  }

  valueOfHouses(route) {
    const provinces = this.board.provinces.map((province) => province.name);
    return Math.max(this.valueOfSpread(route), ...provinces.map((province) => this.valueOfFill(route, province)));
  }

  /** Return the value of one house in every province. Free cities have no province and count as one together. */
  valueOfSpread(route) {
    const best = new Map();
    for (const city of route) {
      const province = this.provinceOf.get(city);
      best.set(province, Math.max(best.get(province) ?? 0, this.cityValues.get(city)));
    }
    return this.valueOfPlacing([...best.values()]);
  }

  valueOfFill(route, province) {
    const cities = route.filter((city) => this.provinceOf.get(city) === province);
    return this.valueOfPlacing(cities.map((city) => this.cityValues.get(city)));
  }

  /** Return the value of placing houses in cities of these values, as far as there are houses left. */
  valueOfPlacing(values) {
    return sum(values.sort((one, other) => other - one).slice(0, this.me.houses_left));
  }

  /** Return for every city what a house there is worth: a point, and a share of the tiles that it helps to win. */
  valuesOfCities() {
    const values = new Map();
    for (const { name } of this.board.cities) {
      values.set(name, this.housesOf.has(name) ? 0 : 1);
    }
    const add = (cities, value) => cities.forEach((city) => values.set(city, values.get(city) + value));
    const mine = new Set(this.me.tiles.map((tile) => tile.stack));
    for (const stack of this.board.stacks) {
      const value = this.table.stacks[stack.name][0] ?? 0;
      if (stack.kind === "free_city" && !this.housesOf.has(stack.city)) {
        add([stack.city], value);
      }
      if (stack.kind === "provinces" && !mine.has(stack.name)) {
        const open = this.board.cities
          .filter((city) => stack.provinces.includes(city.province) && !this.housesOf.has(city.name))
          .map((city) => city.name);
        add(open, (value / open.length) * (open.length === 1 ? 1 : ON_THE_WAY));
      }
      if (stack.kind === "all_provinces" && !mine.has(stack.name)) {
        const reached = new Set(this.me.houses.map((city) => this.provinceOf.get(city)));
        const open = this.board.cities.filter((city) => city.province && !reached.has(city.province));
        const missing = new Set(open.map((city) => city.province)).size;
        add(open.map((city) => city.name), (value / missing) * (missing === 1 ? 1 : ON_THE_WAY));
      }
    }
    return values;
  }

  /** Return the points of the distance tile for a route. */
  valueOfDistance(length) {
    const values = this.board.stacks
      .filter((stack) => stack.kind === "distance" && stack.length <= length)
      .map((stack) => this.table.stacks[stack.name][0] ?? 0);
    return Math.max(0, ...values);
  }

  /** Return the value of the next carriage; 0 if a route does not earn it. `points`: what the route gains otherwise. */
  valueOfCarriage(length, official, points) {
    const { carriages } = this.board;
    const reach = official ? this.constants.cartwright_reach : 0;
    const owned = carriages.findIndex((carriage) => carriage.length === this.me.carriage); // -1 without one
    const next = carriages[owned + 1];
    if (!next || next.length > length + reach) {
      return 0;
    }
    const gain = next.points - (owned < 0 ? 0 : carriages[owned].points);
    if (owned + 2 < carriages.length) {
      return gain + NEXT_CARRIAGE;
    }
    if (this.table.final_round) {
      return gain;
    }
    const others = this.table.players.filter((_, seat) => seat !== this.seat).map((player) => this.score(player));
    return gain + (this.score(this.me) + points + gain > Math.max(...others) ? WINNING_END : -WINNING_END);
  }

  score(player) {
    const carriage = this.board.carriages.find(({ length }) => length === player.carriage);
    return (carriage?.points ?? 0) + sum(player.tiles.map((tile) => tile.value)) - player.houses_left;
  }
}

function sum(numbers) {
  return [...numbers].reduce((total, number) => total + number, 0);
}

/** Return a hand without one copy of a card. */
function without(hand, card) {
  const place = hand.indexOf(card);
  return [...hand.slice(0, place), ...hand.slice(place + 1)];
}

/** Return the route after laying a card. */
function laid(route, verb, card) {
  if (verb === "start") {
    return [card];
  }
  return verb === "left" ? [card, ...route] : [...route, card];
}

// ------------------------------------------------------------------------------------------------- the protocol

const PROTOCOL = "thurn-agent/1";
const FIELDS = {
  hello: ["protocol", "game", "version"],
  game_start: ["seat", "start_player", "move", "players", "options", "board", "actions", "seed", "view", "time"],
  event: ["move", "seat", "action", "changes"],
  request: ["request", "view", "legal", "observation", "deadline_ms"],
  game_end: ["scores", "ranks", "record", "reason"],
  ping: ["ping"],
  error: ["reason"],
  quit: [],
};

/** What the host sent is not a message of the protocol. */
class ProtocolError extends Error {}

/** Yield the lines of standard input. */
async function* lines() {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const bytes of process.stdin) {
    const parts = decoded(decoder, bytes).split("\n");
    parts[0] = rest + parts[0];
    rest = parts.pop();
    yield* parts;
  }
}

function decoded(decoder, bytes) {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch {
    throw new ProtocolError("the host sent bytes that are not UTF-8");
  }
}

/** Return the message of a line; refuse unknown types and fields. */
function read(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch (error) {
    throw new ProtocolError(`the host sent a line that is not JSON: ${error.message}`);
  }
  if (message === null || typeof message !== "object" || Array.isArray(message)) {
    throw new ProtocolError("the host sent a line that is not a JSON object");
  }
  if (typeof message.type !== "string" || !Object.hasOwn(FIELDS, message.type)) {
    throw new ProtocolError(`the host sent a message of the unknown type ${JSON.stringify(message.type)}`);
  }
  for (const field of Object.keys(message)) {
    if (field !== "type" && !FIELDS[message.type].includes(field)) {
      throw new ProtocolError(`the host sent the unknown field "${field}" in a message of type "${message.type}"`);
    }
  }
  return message;
}

function send(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** Return a function that returns random numbers from 0 up to 1; `seed` is a 64-bit integer as text. */
function randomNumbers(seed) {
  let state = BigInt(seed);
  return () => {
    // SplitMix64
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let mixed = state;
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return Number((mixed ^ (mixed >> 31n)) >> 11n) / 2 ** 53;
  };
}

/** Answer the host until it says quit or closes the pipe. */
async function main() {
  let name;
  let game;
  for await (const line of lines()) {
    const message = read(line);
    switch (message.type) {
      case "hello":
        if (message.protocol !== PROTOCOL) {
          throw new ProtocolError(`the host speaks "${message.protocol}", this agent only "${PROTOCOL}"`);
        }
        name = message.game;
        send({ type: "hello", protocol: PROTOCOL, name: NAME, version: VERSION });
        break;
      case "game_start":
        game = { ...message, name, random: randomNumbers(message.seed) };
        send({ type: "ready" });
        break;
      case "request":
        if (!message.legal?.length) {
          throw new ProtocolError("the host sent a request without legal actions");
        }
        send({ type: "action", request: message.request, action: await choose(message, game) });
        break;
      case "ping":
        send({ type: "pong", ping: message.ping });
        break;
      case "error":
        throw new ProtocolError(`the host refused a message: ${message.reason}`);
      case "quit":
        return;
      default: // event and game_end need no answer
    }
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof ProtocolError ? `agent: ${error.message}` : error);
  process.exitCode = 1;
}
