import fc from 'fast-check'
import type { FuzzedOperation } from './document.ts'
import { anyHostile } from './hostile-values.ts'
import { type Input, inputsOf } from './inputs.ts'
import type { RestRequest } from './request.ts'
import { requestHeaders } from './request-headers.ts'

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Puts each field of the input where the document expects it: in the query or in the body. */
function toRestRequest(operation: FuzzedOperation, input: Input): RestRequest {
  const inQuery = (name: string) => operation.method === 'GET' || Object.hasOwn(operation.query, name)
  const members = Object.entries(input)
  const query = members.filter(([name]) => inQuery(name))
  const body = Object.fromEntries(members.filter(([name]) => !inQuery(name)))
  return {
    transport: 'REST',
    operation: operation.id,
    query: query.map(([name, value]) => [name, asText(value)] as const),
    ...(operation.method === 'POST' && { body }),
  }
}

const queryTails = fc.constantFrom(
  '&',
  '&&=&',
  '&walletAddress=0x&walletAddress=1',
  '&username=a&username=b',
  '&username[]=a',
  '&username%5B$ne%5D=a',
  '&network.x=1',
  '&%',
  '&%zz=%zz',
  '&%ff%fe=%00',
  '&__proto__=x',
  '&__proto__[polluted]=1',
  '&constructor.prototype.polluted=1',
  `&${'a='.repeat(500)}`,
  '?username=a',
  ';username=a',
  '&input=%7B%7D&batch=1',
)

const bodyTexts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{',
    '}',
    'null',
    '[]',
    '"{}"',
    '0',
    '\ufeff{}',
    '{}{}',
    '{"a":1,}',
    "{'a':1}",
    '{"walletAddress":"{{wallet}}","walletAddress":"{{emptyWallet}}","network":"31337"}',
    '{"__proto__":{"walletAddress":"{{wallet}}","network":"31337"}}',
    '{"amount":1e400,"walletAddress":"{{wallet}}","outputNetwork":1e999}',
    '{"amount":-1e-400,"walletAddress":"{{wallet}}","outputNetwork":31337.000}',
    '{"network":31337e0,"walletAddress":"{{wallet}}","transactionDetails":[]}',
    `{"walletAddress":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    `{${'"a":1,'.repeat(20_000)}"b":2}`,
    `[${'0,'.repeat(50_000)}0]`,
    `{"username":"${'a'.repeat(262_144)}"}`,
    '<xml/>',
    'walletAddress=0x&network=1',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.json({ maxDepth: 4 }),
)

const bodyBytes = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64'))

/** A request that is wrong outside of its input. */
function deviating(request: RestRequest): fc.Arbitrary<RestRequest> {
  const [first] = request.query ?? []
  const { body, ...bodiless } = request
  const inPost: fc.Arbitrary<RestRequest>[] =
    body === undefined
      ? []
      : [
          bodyTexts.map((text) => ({ ...bodiless, text })),
          bodyBytes.map((bytes) => ({ ...bodiless, bytes })),
          anyHostile.map((other) => ({ ...bodiless, body: other })),
          fc.constant(bodiless),
          // A field of the body in the query, with another value.
          fc
            .constantFrom(...Object.keys(Object(body)), 'network')
            .map((name) => ({ ...request, query: [...(request.query ?? []), [name, 'x'] as const] })),
        ]
  return fc.oneof(
    queryTails.map((queryTail) => ({ ...request, queryTail })),
    requestHeaders.map((headers) => ({ ...request, headers })),
    ...(first ? [fc.constant({ ...request, query: [...(request.query ?? []), first] })] : []),
    ...inPost,
  )
}

/** Requests over REST for an operation: valid, nearly valid, and garbage. */
export function restRequests(operation: FuzzedOperation): fc.Arbitrary<RestRequest> {
  const { valid, nearlyValid, garbage } = inputsOf(operation)
  const requests = (inputs: fc.Arbitrary<Input>) => inputs.map((input) => toRestRequest(operation, input))
  return fc.oneof(
    { weight: 4, arbitrary: requests(valid) },
    { weight: 6, arbitrary: requests(nearlyValid) },
    { weight: 2, arbitrary: requests(garbage) },
    { weight: 3, arbitrary: requests(valid).chain(deviating) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(requests(valid), requestHeaders)
        .map(([request, headers]): RestRequest => ({ ...request, headers })),
    },
  )
}
