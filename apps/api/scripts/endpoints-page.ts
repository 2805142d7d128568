import { commonErrors, type ErrorCode, errorsOf } from '@lanyard/contracts'
import { endpointList } from '../src/platform/endpoint-list.ts'
import { openApiDocument } from '../src/transport/openapi/document.ts'
import { resolveIn, type Schema } from '../src/transport/openapi/examples.ts'

const common: ReadonlySet<ErrorCode> = new Set(commonErrors)

interface Member {
  readonly name: string
  readonly place: 'query' | 'body'
  readonly required: boolean
  readonly schema: Schema
}

const document: Schema = JSON.parse(JSON.stringify(openApiDocument()))
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

const resolve = (schema: unknown): Schema => resolveIn(document, schema)

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const at = (schema: unknown, ...steps: readonly string[]) =>
  resolve(steps.reduce<unknown>((found, step) => resolve(found)[step], schema))

/** `array of TransactionDetail`, `string`, `"request" | "cancel"`. */
function typeOf(schema: unknown): string {
  const found = resolve(schema)
  if (isSchema(schema) && typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? ''
  if (found.enum)
    return list(found.enum)
      .map((value) => `\`${value}\``)
      .join(', ')
  if (found.const !== undefined) return `\`${found.const}\``
  const either = list(found.anyOf ?? found.oneOf)
  if (either.length > 0) return [...new Set(either.map(typeOf))].join(' or ')
  if (found.type === 'array') return `array of ${typeOf(found.items)}`
  return list(found.type).length > 0 ? list(found.type).join(' or ') : String(found.type ?? 'any')
}

const cell = (text: unknown) =>
  String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')

function membersOf(schema: Schema, place: Member['place']): Member[] {
  const required = list(schema.required)
  return Object.entries(at(schema, 'properties')).map(([name, value]) => ({
    name,
    place,
    required: required.includes(name),
    schema: { ...resolve(value), type: typeOf(value) },
  }))
}

function inputOf(operation: Schema): Member[] {
  const query = list(operation.parameters)
    .map(resolve)
    .filter((parameter) => parameter.in === 'query')
  return [
    ...query.map(
      (parameter): Member => ({
        name: String(parameter.name),
        place: 'query',
        required: parameter.required === true,
        schema: {
          ...resolve(parameter.schema),
          type: typeOf(parameter.schema),
          description: parameter.description,
          example: parameter.example,
        },
      }),
    ),
    ...membersOf(at(operation, 'requestBody', 'content', 'application/json', 'schema'), 'body'),
  ]
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  rows.length === 0
    ? ''
    : `| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`

/** What a passkey's browser answers cannot be written down. */
const isCeremony = (members: readonly Member[]) =>
  members.some(({ name, place }) => place === 'body' && name === 'clientExtensionResults')

const toTypeScript = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replace(/"([^"]*)"/g, "'$1'")

function examplesOf(
  noun: string,
  verb: string,
  method: string,
  path: string,
  members: readonly Member[],
  operation: Schema,
) {
  const ceremony = isCeremony(members)
  const inQuery = members.filter(({ place, schema }) => place === 'query' && schema.example !== undefined)
  const queried = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema.example]))
  const sent = ceremony ? {} : at(operation, 'requestBody', 'content', 'application/json', 'example')
  const query = new URLSearchParams(
    Object.entries(queried).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const url = `"$BASE${path}${query.size > 0 ? `?${query}` : ''}"`
  const body = ceremony ? '@answer.json' : JSON.stringify(sent)
  const post = `-H 'content-type: application/json' -d '${body}'`
  const curl = `curl -sS ${url}${method === 'POST' ? ` ${post}` : ''}`
  const input = { ...queried, ...sent }
  const fields = Object.keys(input).length > 0 ? toTypeScript(input) : ''
  const spread = fields ? `{\n  ...ceremonyBody(answer),\n${fields.slice(2)}` : 'ceremonyBody(answer)'
  const call = `await lanyard.${noun}.${verb}(${ceremony ? spread : fields})`
  return `\`\`\`sh\n${curl}\n\`\`\`\n\n\`\`\`ts\n${call}\n\`\`\`\n${
    ceremony
      ? '\n`answer` is the result of `startRegistration` or `startAuthentication` of @simplewebauthn/browser.\n'
      : ''
  }`
}

function section({ noun, verb, declaration }: (typeof endpointList)[number]): string {
  const { method, path, summary, description, statuses } = declaration
  const errors = errorsOf(declaration).filter((code) => !common.has(code))
  const operation = at(document, 'paths', path, method.toLowerCase())
  const members = inputOf(operation)
  const output = membersOf(at(operation, 'responses', '200', 'content', 'application/json', 'schema'), 'body')
  const rows = (of: readonly Member[], withPlace: boolean) =>
    of.map(({ name, place, required, schema }) => [
      `\`${name}\``,
      ...(withPlace ? [place] : []),
      `${cell(schema.type)}${required ? '' : ', optional'}`,
      cell(schema.description),
    ])
  return [
    `## ${method} ${path}\n`,
    `${summary}. ${description ?? ''}`.trim(),
    `\nOver tRPC: \`${noun}.${verb}\`.\n`,
    table(['Input', 'In', 'Type', 'Meaning'], rows(members, true)),
    table(['Answer', 'Type', 'Meaning'], rows(output, false)),
    errors.length > 0
      ? `Errors: ${errors.map((code) => `[${code}](../errors.md#${code})`).join(', ')}.\n`
      : '',
    statuses === 'fixed'
      ? 'Statuses are fixed: 400 if the request is wrong, 500 if the service fails. `code` says which error it is.\n'
      : '',
    examplesOf(noun, verb, method, path, members, operation),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

const mark = '<!-- Generated by apps/api/scripts/reference-pages.ts from the declared endpoints. -->'
const fileOf = (tag: string) => `${tag.toLowerCase().replaceAll(' ', '-')}.md`

/** The pages below /docs/endpoints: one page for each tag, and one that leads to them. */
export function endpointPages(): ReadonlyMap<string, string> {
  const tags = [...new Set(endpointList.map(({ declaration }) => declaration.tag))]
  const of = (tag: string) => endpointList.filter(({ declaration }) => declaration.tag === tag)
  const pages = tags.map((tag): [string, string] => [
    fileOf(tag),
    `${mark}\n# ${tag}\n\n[All endpoints](README.md). \`BASE\` is the address of the service, and \`lanyard\` is a client of it.\n\n${of(tag).map(section).join('\n')}`,
  ])
  const lines = tags.map(
    (tag) =>
      `## [${tag}](${fileOf(tag)})\n\n${of(tag)
        .map(({ declaration: { method, path, summary } }) => `- \`${method} ${path}\`: ${summary}`)
        .join('\n')}\n`,
  )
  const always = commonErrors.map((code) => `[${code}](../errors.md#${code})`).join(', ')
  const index = `${mark}
# Endpoints

Paths must match exactly. Bodies and answers are JSON. Amounts are decimal strings in base units. Addresses are checksummed.
\`network\` is a chain id: an integer, its decimal string, or \`eip155:31337\`. Every mutation takes an
[\`Idempotency-Key\`](../decisions/007-idempotency.md). Any endpoint can return these errors:
${always}.

All endpoints also exist over tRPC at \`/trpc\`. The OpenAPI document is at \`/openapi.json\`, and you can try the calls at
\`/docs/reference\` of a running service.

\`\`\`ts
import { createLanyardClient } from '@lanyard/client'

const lanyard = createLanyardClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: process.env.API_KEY })
\`\`\`

${lines.join('\n')}`
  return new Map([['README.md', index], ...pages])
}
