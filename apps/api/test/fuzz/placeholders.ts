/**
 * Values of a fixture that a request refers to: addresses, hashes, tokens. Requests contain their names
 * (`{{wallet}}`), so that a seed gives the same requests in every run, and a request of the corpus works with every
 * fixture.
 */
export type KnownValues = Readonly<Record<string, unknown>>

/** Ways to spoil a value that only the fixture knows, by name: `{{wallet|swapCase}}`. */
const spoilers = {
  lower: (text: string) => text.toLowerCase(),
  upper: (text: string) => text.toUpperCase(),
  /** Breaks the checksum of an address. */
  swapCase: (text: string) =>
    text.replace(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    ),
  hexUpper: (text: string) => text.slice(0, 2) + text.slice(2).toUpperCase(),
  hexSwapCase: (text: string) => text.slice(0, 2) + spoilers.swapCase(text.slice(2)),
  cut: (text: string) => text.slice(0, -1),
  cutByte: (text: string) => text.slice(0, -2),
  behead: (text: string) => text.slice(1),
  flip: (text: string) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0'),
  longer: (text: string) => `${text}0`,
  longerByte: (text: string) => `${text}00`,
  twice: (text: string) => text + text,
  nul: (text: string) => `${text}\u0000`,
  nulInside: (text: string) => `${text.slice(0, 5)}\u0000${text.slice(5)}`,
  spaced: (text: string) => ` ${text} `,
  surrogate: (text: string) => `${text.slice(0, 4)}\ud800${text.slice(5)}`,
  fullwidth: (text: string) =>
    text.replace(/[0-9a-z]/gi, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  listed: (text: string) => [text],
  boxed: (text: string) => ({ value: text }),
} as const

export const spoilerNames = Object.keys(spoilers)

const wholePlaceholder = /^\{\{(\w+)(?:\|(\w+))?\}\}$/
const anyPlaceholder = /\{\{(\w+)(?:\|(\w+))?\}\}/g

/** Spoils a value in one of the ways in `spoilerNames`. */
export function spoil(value: unknown, spoiler: string): unknown {
  if (!Object.hasOwn(spoilers, spoiler)) throw new TypeError(`Unknown spoiler ${spoiler}`)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return spoilers[spoiler as keyof typeof spoilers](text) // the check above ensures it
}

function knownValue(name: string, spoiler: string | undefined, known: KnownValues): unknown {
  if (!Object.hasOwn(known, name)) throw new TypeError(`The fixture has no value ${name}`)
  return spoiler === undefined ? known[name] : spoil(known[name], spoiler)
}

export const isPlaceholder = (value: unknown): value is string =>
  typeof value === 'string' && wholePlaceholder.test(value)

/** Replaces placeholders with the fixture's values, at any depth. */
export function fillIn(value: unknown, known: KnownValues): unknown {
  if (typeof value === 'string') {
    const match = wholePlaceholder.exec(value)
    if (match) return knownValue(match[1] ?? '', match[2], known)
    return value.replace(anyPlaceholder, (_all, name: string, spoiler?: string) =>
      String(knownValue(name, spoiler, known)),
    )
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, known))
  if (typeof value !== 'object' || value === null) return value
  // Object.fromEntries creates own properties, even `__proto__`.
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fillIn(member, known)]))
}
