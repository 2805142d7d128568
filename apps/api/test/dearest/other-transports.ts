import { rpcMethods } from '../../src/transport/rpc/rpc-methods.ts'
import { type FuzzedOperation, operations } from '../fuzz/document.ts'

/** The mutations over tRPC, which parses their bodies itself. Queries differ from REST only in how they are written. */
const trpcOperations = operations
  .filter(({ method, query }) => method === 'POST' && Object.keys(query).length === 0)
  .map(
    (operation): FuzzedOperation => ({
      ...operation,
      id: `trpc:${operation.id}`,
      path: `/trpc/${operation.procedure}`,
    }),
  )

const text = { type: 'string', minLength: 1, maxLength: 80 } as const

/** A call of JSON-RPC: any method, with parameters that fit some of them. */
const rpcOperation: FuzzedOperation = {
  ...{ id: 'rpc', method: 'POST', path: '/rpc/31337', procedure: 'rpc', query: {}, responses: new Map() },
  body: {
    type: 'object',
    required: ['jsonrpc', 'id', 'method', 'params'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: 'integer', minimum: 1, maximum: 9 },
      method: { enum: [...rpcMethods.keys()] },
      params: {
        type: 'array',
        maxItems: 3,
        items: { anyOf: [text, { type: 'object', properties: { sender: text, callData: text } }] },
      },
    },
  },
}

/** What the OpenAPI document does not describe. */
export const otherTransports: readonly FuzzedOperation[] = [...trpcOperations, rpcOperation]
