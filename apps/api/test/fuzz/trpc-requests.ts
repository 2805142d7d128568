import fc from 'fast-check'
import { type FuzzedOperation, operationOf, operations } from './document.ts'
import { anyHostile, withMember } from './hostile-values.ts'
import { inputsOf } from './inputs.ts'
import type { TrpcRequest } from './request.ts'
import { requestHeaders } from './request-headers.ts'

const someInput = (operation: FuzzedOperation): fc.Arbitrary<unknown> => {
  const { valid, nearlyValid, garbage } = inputsOf(operation)
  return fc.oneof(
    { weight: 4, arbitrary: valid },
    { weight: 5, arbitrary: nearlyValid },
    { weight: 2, arbitrary: garbage },
    { weight: 1, arbitrary: anyHostile },
  )
}

const withHeaders = (requests: fc.Arbitrary<TrpcRequest>): fc.Arbitrary<TrpcRequest> =>
  fc.oneof(
    { weight: 4, arbitrary: requests },
    {
      weight: 1,
      arbitrary: fc.tuple(requests, requestHeaders).map(([request, headers]) => ({ ...request, headers })),
    },
  )

/** One call of an operation over tRPC. */
export function trpcRequests(operation: FuzzedOperation): fc.Arbitrary<TrpcRequest> {
  const { id, method } = operation
  return withHeaders(
    fc.tuple(someInput(operation), fc.boolean()).map(
      ([input, batch]): TrpcRequest => ({
        transport: 'tRPC',
        method,
        calls: [id],
        batch,
        input: batch ? { 0: input } : input,
      }),
    ),
  )
}

/** Batches of valid and invalid calls, up to the allowed number. */
export const trpcBatches: fc.Arbitrary<TrpcRequest> = withHeaders(
  fc.constantFrom<'GET' | 'POST'>('GET', 'POST').chain((method) => {
    const same = operations.filter((operation) => operation.method === method)
    const call = fc
      .constantFrom(...same)
      .chain((operation) => someInput(operation).map((input) => ({ id: operation.id, input })))
    return fc.array(call, { minLength: 1, maxLength: 10 }).map(
      (calls): TrpcRequest => ({
        transport: 'tRPC',
        method,
        calls: calls.map(({ id }) => id),
        batch: true,
        input: Object.fromEntries(calls.map(({ input }, index) => [index, input])),
      }),
    )
  }),
)

const strangeNames = fc.oneof(
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    'user',
    'user.details.call',
    'user.__proto__',
    'system.health.toString',
    '.',
    '..',
    'user..details',
    'createCaller',
    '_def',
    'user.details,user.details',
    'USER.details',
    'user/details',
    'user.details\u0000',
  ),
  fc.string({ maxLength: 20 }).map((text) => text.toWellFormed()),
)

const strangeInputs: fc.Arbitrary<Pick<TrpcRequest, 'input' | 'text'>> = fc.oneof(
  fc
    .constantFrom<string>(
      '',
      '{',
      'null',
      '[]',
      '0',
      '"0"',
      '{"0":',
      '{"1":{"username":"a"}}',
      '{"-1":{"username":"a"}}',
      '{"0.0":{"username":"a"}}',
      '{"00":{"username":"a"}}',
      '{"length":1}',
      '{"__proto__":{"0":{"username":"a"}}}',
      '{"0":{"__proto__":{"username":"a"}}}',
      '{"json":{"username":"a"},"meta":{"values":{"username":["Date"]}}}',
      '{"0":{"username":"a"},"0":{"username":"b"}}',
      '{"999999999999":{"username":"a"}}',
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      `{"0":${'{"a":'.repeat(4_000)}1${'}'.repeat(4_000)}}`,
      `{${Array.from({ length: 2_000 }, (_, index) => `"${index}":{}`).join()}}`,
    )
    .map((text) => ({ text })),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => ({ text: text.toWellFormed() })),
  anyHostile.map((input) => ({ input })),
  fc.tuple(fc.constantFrom('0', '1', '__proto__'), anyHostile).map(([key, value]) => ({
    input: withMember({}, key, value),
  })),
)

/** Requests that are malformed as a whole: unknown names, too many names, wrong methods, misplaced inputs. */
export const strangeTrpcRequests: fc.Arbitrary<TrpcRequest> = withHeaders(
  fc
    .tuple(
      fc.constantFrom<'GET' | 'POST'>('GET', 'POST'),
      fc.array(fc.oneof(strangeNames, fc.constantFrom(...operations.map(({ procedure }) => procedure))), {
        minLength: 1,
        maxLength: 13,
      }),
      fc.boolean(),
      strangeInputs,
    )
    .map(
      ([method, calls, batch, inputs]): TrpcRequest => ({
        transport: 'tRPC',
        method,
        calls,
        batch,
        ...inputs,
      }),
    ),
)

/** The operations that a request calls. It must name only operation ids. */
export const calledBy = ({ calls }: TrpcRequest): readonly FuzzedOperation[] => calls.map(operationOf)
