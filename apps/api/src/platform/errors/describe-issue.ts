import type { z } from 'zod'

/** zod's names of formats, in words. */
const formats: Readonly<Record<string, string>> = {
  url: 'a URL, such as https://example.com',
  email: 'an email address',
  uuid: 'a UUID',
  datetime: 'a time in ISO 8601, such as 2026-01-31T12:00:00Z',
  date: 'a date, such as 2026-01-31',
  base64: 'base64',
  base64url: 'base64url',
  json_string: 'JSON',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
}

/** zod's names of types, as those who send JSON call them. */
const types: Readonly<Record<string, string>> = {
  int: 'integer',
  record: 'object',
  map: 'object',
  tuple: 'array',
}

const expecting = 'Expected '
const otherForm = 'Expected a value of another form; the documentation describes it'

/** What the sizes of values count. */
const units: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
  map: 'members',
  object: 'members',
}

/**
 * What a value must be, where its schema has no words of its own: zod's stock phrases speak of its types and checks, and
 * whoever sent the value knows neither. To be given to `safeParse` as `error`.
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return `Expected ${withArticle(types[issue.expected] ?? issue.expected)}`
    case 'invalid_value':
      return expectOneOf(issue.values)
    case 'invalid_union':
      return describeUnion(issue)
    case 'too_big':
      return sized(issue.origin, issue.exact ? 'exactly' : atMost(issue), issue.maximum)
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'Expected some text'
      return sized(issue.origin, issue.exact ? 'exactly' : atLeast(issue), issue.minimum)
    case 'invalid_format':
      return describeFormat(issue)
    case 'not_multiple_of':
      return `Expected a multiple of ${issue.divisor}`
    case 'unrecognized_keys': {
      const names = issue.keys.map((key) => `"${key}"`).join(', ')
      return issue.keys.length > 1 ? `These members do not exist: ${names}` : `There is no member ${names}`
    }
    case 'invalid_key':
      return 'A member has a name that is not possible here'
    case 'invalid_element':
      return 'An entry has a value that is not possible here'
    default:
      return otherForm
  }
}

type IssueOf<Code extends z.core.$ZodRawIssue['code']> = Extract<
  z.core.$ZodRawIssue,
  { readonly code?: Code }
>

const expectOneOf = (values: readonly unknown[]) =>
  expecting + (values.length > 1 ? 'one of ' : '') + values.map(String).join(', ')

function describeUnion(issue: IssueOf<'invalid_union'>): string {
  const { options = [] } = issue as { readonly options?: readonly unknown[] } // of a union with a discriminator
  if (options.length > 0) return expectOneOf(options)
  const { errors } = issue
  const expected = errors.map(([first]) => (first?.path.length === 0 ? first.message : ''))
  if (expected.length === 0 || !expected.every((words) => words.startsWith(expecting))) return otherForm
  return expecting + [...new Set(expected.map((words) => words.slice(expecting.length)))].join(' or ')
}

const atMost = ({ inclusive }: { readonly inclusive?: boolean | undefined }) =>
  inclusive === false ? 'less than' : 'at most'

const atLeast = ({ inclusive }: { readonly inclusive?: boolean | undefined }) =>
  inclusive === false ? 'more than' : 'at least'

function sized(origin: string, comparison: string, size: number | bigint): string {
  const unit =
    Number(size) === 1
      ? units[origin]?.replace(/(ie)?s$/, (end) => (end === 'ies' ? 'y' : ''))
      : units[origin]
  return unit ? `Expected ${comparison} ${size} ${unit}` : `Expected a number: ${comparison} ${size}`
}

function describeFormat({ format, ...more }: IssueOf<'invalid_format'>): string {
  const named = formats[format]
  if (named) return `Expected ${named}`
  if ('prefix' in more) return `Expected a text that begins with "${more.prefix}"`
  if ('suffix' in more) return `Expected a text that ends with "${more.suffix}"`
  if ('includes' in more) return `Expected a text that contains "${more.includes}"`
  return otherForm
}

const withArticle = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)
