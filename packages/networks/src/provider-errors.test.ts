import { describe, expect, test } from 'vitest'
import { classifyError, namedRange, type ProviderMeaning } from './provider-errors.ts'
import { readRetryAfter } from './request-queue.ts'

/** The words of providers and nodes, as users quote them in public. */
const said: readonly (readonly [ProviderMeaning | undefined, string, number | undefined, string])[] = [
  [
    'rate-limited',
    'eth_call',
    429,
    'Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely ignore this message.',
  ],
  ['rate-limited', 'eth_call', -32005, 'daily request count exceeded, request rate limited'],
  ['rate-limited', 'eth_call', -32005, 'project ID request rate exceeded'],
  [
    'rate-limited',
    'eth_call',
    -32007,
    '50/second request limit reached - reduce calls per second or upgrade your account',
  ],
  ['rate-limited', 'eth_getLogs', -32005, 'rate limit exceeded'],
  ['rate-limited', 'eth_getLogs', -32016, 'over rate limit'],
  ['rate-limited', 'eth_blockNumber', -32000, 'Too Many Requests'],
  ['rate-limited', 'eth_blockNumber', -32005, 'limit exceeded'],
  ['batch-too-large', 'eth_call', -32600, 'batch too large'],
  [
    'batch-too-large',
    'eth_call',
    31,
    'Batch of more than 3 requests are not allowed on free tier, to use this feature register paid account at drpc.org',
  ],
  ['batch-too-large', 'eth_call', -32014, 'maximum 10 calls in 1 batch'],
  ['batch-too-large', 'eth_call', -32005, 'batch limit 100 exceeded (can increase by --rpc.batch.limit)'],
  ['batch-too-large', 'eth_call', -32600, 'Batching is not supported'],
  [
    'too-many-results',
    'eth_getLogs',
    -32005,
    'query returned more than 10000 results. Try with this block range [0x1, 0x2].',
  ],
  ['too-many-results', 'eth_getLogs', -32602, 'Log response size exceeded.'],
  ['too-many-results', 'eth_getLogs', -32000, 'query timeout exceeded. Consider reducing your block range.'],
  ['too-many-results', 'eth_getLogs', -32602, 'query exceeds max results 20000, retry with the range 1-2'],
  [
    'range-too-wide',
    'eth_getLogs',
    -32600,
    'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.',
  ],
  ['range-too-wide', 'eth_getLogs', -32615, 'eth_getLogs is limited to a 10,000 range'],
  ['range-too-wide', 'eth_getLogs', -32000, 'exceed maximum block range: 50000'],
  ['range-too-wide', 'eth_getLogs', -32602, 'block range is too wide'],
  ['range-too-wide', 'eth_getLogs', -32005, 'limit exceeded'],
  [
    'range-too-wide',
    'eth_getLogs',
    -32701,
    'Please specify an address in your request or, to remove restrictions, order a dedicated full node',
  ],
  ['range-too-wide', 'eth_getLogs', 35, 'ranges over 10000 blocks are not supported on freetier'],
  ['block-unknown', 'eth_call', -32000, 'header not found'],
  ['block-unknown', 'eth_getBlockByNumber', -39001, 'Unknown block'],
  ['block-unknown', 'eth_getBlockByNumber', -32000, 'finalized block not found'],
  ['block-unknown', 'eth_getLogs', -32000, 'block range extends beyond current head block'],
  [
    'block-unknown',
    'eth_getLogs',
    -32000,
    'cannot query unfinalized data: requested to block 10 after last accepted block 9',
  ],
  ['state-pruned', 'eth_call', -32000, 'missing trie node 1a2b (path ) state 0x1a is not available'],
  ['state-pruned', 'eth_call', -32000, 'historical state 1a2b is not available'],
  ['method-missing', 'eth_feeHistory', -32601, 'the method eth_feeHistory does not exist/is not available'],
  ['method-missing', 'eth_feeHistory', -32000, 'Unsupported method: eth_feeHistory'],
  ['override-refused', 'eth_call', -32602, 'too many arguments, want at most 2'],
  ['override-refused', 'eth_call', -32602, 'invalid argument 2: json: cannot unmarshal object'],
  ['request-too-large', 'eth_call', -32600, 'Request body is too large'],
  ['request-too-large', 'eth_call', -32000, 'content length too large (61000>50000)'],
  // Nethermind, Besu, Erigon, reth, and geth with pruned history.
  ['block-unknown', 'eth_call', -32000, '4294967295 could not be found'],
  ['block-unknown', 'eth_call', -32603, 'upstream does not have the requested block yet'],
  ['block-unknown', 'eth_call', -32000, 'Block not found'],
  ['block-unknown', 'eth_getLogs', -32000, 'block not found 11185311'],
  ['state-pruned', 'eth_call', -32002, 'No state available for block 0xe7b1'],
  ['state-pruned', 'eth_getLogs', 4444, 'pruned history unavailable'],
  ['state-pruned', 'eth_getLogs', -32000, 'seek with txNum=1 but data before txNum=2 is not available'],
  ['range-too-wide', 'eth_getLogs', -32005, 'block range too large, max range: 1000'],
  ['range-too-wide', 'eth_getLogs', -32602, 'query exceeds max block range 5000'],
  ['range-too-wide', 'eth_getLogs', -32602, 'range 1000000 exceeds limit of 10000'],
  ['range-too-wide', 'eth_getLogs', -32000, 'block range is bigger than maxBlockRange'],
  ['method-missing', 'eth_feeHistory', -32601, 'Method not found'],
  [undefined, 'eth_call', -32000, 'insufficient sender balance'],
  // A revert has the words of a contract.
  [undefined, 'eth_call', -32000, 'Execution reverted'],
  [undefined, 'eth_call', -32015, 'VM Exception while processing transaction: revert'],
  [
    undefined,
    'eth_call',
    -32603,
    "VM Exception while processing transaction: reverted with reason string 'batch too large'",
  ],
  [undefined, 'eth_call', 3, 'execution reverted: rate limit exceeded'],
  [undefined, 'eth_call', -32000, 'execution reverted: Too many requests'],
  [undefined, 'eth_estimateGas', -32015, 'VM execution error: block not found'],
  // Answers about a transaction are not the provider's.
  [undefined, 'eth_sendRawTransaction', -32000, 'nonce too low'],
  [undefined, 'eth_sendRawTransaction', -32000, 'replacement transaction underpriced'],
  [undefined, 'eth_sendRawTransaction', -32000, 'insufficient funds for gas * price + value'],
  [undefined, 'eth_sendRawTransaction', -32000, 'exceeds block gas limit'],
  [undefined, 'eth_sendRawTransaction', -32000, 'txpool is full'],
  [undefined, 'eth_call', -32000, 'gas required exceeds allowance (25000000)'],
  [undefined, 'eth_call', -32000, 'out of gas'],
]

test.each(said)('behavior: %s: %s, %s %s', (meaning, method, code, text) => {
  expect(classifyError({ method, code, text })).toBe(meaning)
})

describe('HTTP statuses', () => {
  test.each([
    [429, 'eth_call', 'rate-limited'],
    [400, 'eth_getLogs', 'range-too-wide'],
    [413, 'eth_getLogs', 'range-too-wide'],
    [413, 'eth_call', 'request-too-large'],
    [400, 'eth_call', undefined],
    [503, 'eth_getLogs', undefined],
    [401, 'eth_getLogs', undefined],
  ])('behavior: %d of %s', (status, method, meaning) => {
    expect(classifyError({ method, status, text: '' })).toBe(meaning)
  })
})

test.each([
  ['up to a 10 block range. this block range should work: [0x0, 0x9]', 10],
  ['eth_getLogs is limited to a 10,000 range', 10_000],
  ['exceed maximum block range: 50000', 50_000],
  ['ranges over 10000 blocks are not supported', 10_000],
  ['query returned more than 10000 results', undefined],
  ['block range is too wide', undefined],
])('behavior: %s names %s blocks', (text, blocks) => {
  expect(namedRange(text)).toBe(blocks)
})

test.each([
  ['120', 120_000],
  ['0', 0],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 50_000],
  ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
  ['99999999999', 3_600_000],
  ['soon', undefined],
  ['', undefined],
])('behavior: Retry-After %s is %s ms', (value, wait) => {
  expect(readRetryAfter(value, 10_000)).toBe(wait)
})
