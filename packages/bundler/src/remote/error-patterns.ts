import type { ErrorCode } from '@lanyard/contracts'

/** The meaning of a bundler's message that has no AA code. `KNOWN`: the bundler has the operation. */
export type Meaning = ErrorCode | 'KNOWN' | 'NONCE'

/**
 * Messages of Alto, Rundler, Skandha, Voltaire, Etherspot and eth-infinitism's bundler that their JSON-RPC
 * codes do not distinguish (each comes as -32500, -32602 or -32603 from one of them). The first match counts.
 */
const errorPatterns: readonly (readonly [Meaning, RegExp])[] = [
  [
    'KNOWN',
    /already[ _]?known|already (?:present )?in (?:the )?(?:mem)?pool|duplicate user ?op|already (?:been )?(?:added|received|submitted|included|landed|mined)/i,
  ],
  [
    'OPERATION_REFUSED',
    /replacement.*(?:underpriced|fee|too low)|fee.*replace|conflicting (?:user ?op|nonce)/i,
  ],
  [
    'NONCE',
    /nonce(?: is)? too (?:low|high)|invalid (?:account )?nonce|nonce.*(?:already used|not valid|invalid|mismatch)/i,
  ],
  [
    'FEE_TOO_LOW',
    /(?:max(?:Priority)?FeePerGas|preVerificationGas|gas price|priority fee).*(?:too low|below|at least|must be|less than|lower than|not enough)|underpriced/i,
  ],
  [
    'INSUFFICIENT_FUNDS',
    /prefund|insufficient (?:funds|balance)|(?:balance|deposit).*(?:too low|insufficient)/i,
  ],
  ['REBUILD', /expired|expires too soon|time ?range|not (?:yet )?(?:due|valid)/i],
  [
    'INVALID_SIGNATURE',
    /signature (?:error|check failed|mismatch|is (?:not valid|invalid))|invalid (?:user ?op(?:eration)? )?signature/i,
  ],
  ['PAYMASTER_REFUSED', /paymaster/i],
  ['BUNDLER_UNAVAILABLE', /rate limit|too many requests|(?:mem)?pool is full|queue is full/i],
]

export const classifyError = (message: string): Meaning | undefined =>
  errorPatterns.find(([, wording]) => wording.test(message))?.[0]
