/** tRPC's error codes that this service uses (a subset of `TRPC_ERROR_CODE_KEY`). */
export type TrpcCode =
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_SUPPORTED'
  | 'TIMEOUT'
  | 'CONFLICT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'TOO_MANY_REQUESTS'
  | 'CLIENT_CLOSED_REQUEST'
  | 'INTERNAL_SERVER_ERROR'
  | 'BAD_GATEWAY'
  | 'SERVICE_UNAVAILABLE'
  | 'GATEWAY_TIMEOUT'

interface ErrorDefinition {
  /** HTTP status, the same over REST and tRPC (see `statusOf` for the endpoints with fixed statuses). */
  readonly status: number
  /** tRPC's own name, for clients that switch on it. */
  readonly trpc: TrpcCode
  /** What the caller reads when the place that throws has nothing better to say. */
  readonly message: string
}

/**
 * Every error that leaves the service, declared once. Both transports, the OpenAPI document and the
 * generated client derive from this table.
 */
export const errorTable = {
  INVALID_INPUT: { status: 400, trpc: 'BAD_REQUEST', message: 'The request is malformed; see issues.' },
  INVALID_JSON: { status: 400, trpc: 'BAD_REQUEST', message: 'The body is not valid JSON.' },
  UNKNOWN_NETWORK: { status: 400, trpc: 'BAD_REQUEST', message: 'This network is not configured here.' },
  NOTHING_TO_DO: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message:
      'The account is deployed on this network already, so an operation without transactionDetails would do nothing.',
  },
  EXECUTION_REVERTED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'A call of this operation would revert. Send allowRevert: true to build it nevertheless.',
  },
  INSUFFICIENT_FUNDS: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The account cannot pay for this operation on this network.',
  },
  FEE_TOO_LOW: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The fees of this operation no longer cover its inclusion. Build it again.',
  },
  PAYMASTER_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The paymaster does not accept this operation.',
  },
  OPERATION_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The entry point or the bundler refuses this operation.',
  },
  INVALID_SIGNATURE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The signature is not valid for any pending operation of this wallet.',
  },
  SIGNATURE_OVER_TEXT: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message:
      'The signature covers the 66 characters of the hex text. Sign the 32 bytes of messageToSign instead (in viem: signMessage({ message: { raw: messageToSign } })).',
  },
  SIGNATURE_COMPACT: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The signature is in the compact 64-byte form of ERC-2098. Send the 65-byte form r, s, v.',
  },
  SIGNATURE_MALLEABLE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The signature has an s in the upper half of the curve order. Send its canonical form.',
  },
  SIGNATURE_OVER_MESSAGE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message:
      "This is the owner's own signature over the message, not the account's. Sign typedData of /smart-account/message/prepare instead.",
  },
  OWNER_NOT_HERE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'This owner cannot sign for the wallet on this network.',
  },
  UNSUPPORTED_SIGNATURE_TYPE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'This operation was built for another kind of signature.',
  },
  VERIFICATION_FAILED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The WebAuthn ceremony could not be verified.',
  },
  USERNAME_TAKEN: { status: 400, trpc: 'BAD_REQUEST', message: 'A user of this name is already registered.' },
  USERNAME_REFUSED: { status: 400, trpc: 'BAD_REQUEST', message: 'Nobody can take this name.' },
  LAST_OWNER: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'This owner is the last one on a network. Add another owner there first.',
  },
  DEPLOYMENT_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The service does not pay for this deployment. Register without deployWallet.',
  },
  NO_SMART_BALANCE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'This network has no smart balance.',
  },
  INSUFFICIENT_LIQUIDITY: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The operator cannot lend that much on this network now.',
  },
  LIMIT_BREACHED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The fee of this order breaks the limit.',
  },
  AMOUNT_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'No order can be made of this amount.',
  },
  EXIT_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'There is no exit to cancel or to finalise yet.',
  },
  GAS_BUDGET_EXCEEDED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The operation may cost more gas than the order has a budget for.',
  },
  ORDER_MISMATCH: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The operation is not the one that the order was reserved for.',
  },
  NO_SESSION_KEYS: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'This network has no session keys.',
  },
  SESSION_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The session does not allow this.',
  },
  UNAUTHORIZED: { status: 401, trpc: 'UNAUTHORIZED', message: 'Valid credentials are required.' },
  FORBIDDEN: { status: 403, trpc: 'FORBIDDEN', message: 'These credentials do not allow this.' },
  UNKNOWN_WALLET: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'No wallet of this service has this address. An EOA gets one by POST /smart-account/create.',
  },
  UNKNOWN_USER: { status: 404, trpc: 'NOT_FOUND', message: 'There is no user of this name.' },
  UNKNOWN_OWNER: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'This is no owner of the wallet on any network.',
  },
  UNKNOWN_CREDENTIAL: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'This user has no passkey of this id.',
  },
  UNKNOWN_OPERATION: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'No pending or past operation of this service fits.',
  },
  UNKNOWN_SESSION: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'The key has no session with this account on this network: it was revoked, or never granted.',
  },
  UNKNOWN_ORDER: { status: 404, trpc: 'NOT_FOUND', message: 'There is no order of this id.' },
  UNKNOWN_ROUTE: { status: 404, trpc: 'NOT_FOUND', message: 'There is nothing at this path.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    trpc: 'METHOD_NOT_SUPPORTED',
    message: 'This path does not take this method.',
  },
  OPERATION_IN_FLIGHT: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'The first operation of this account is under way on this network. Wait until it is included.',
  },
  LANES_EXHAUSTED: {
    status: 409,
    trpc: 'CONFLICT',
    message:
      'Too many operations of this account are under way on this network. Wait for one to be included.',
  },
  ORDER_OPEN: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'Another order of this account is signed by the operator. Submit it, or wait until it expires.',
  },
  ORDER_EXPIRED: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'The order has expired, was replaced, or is under way. Compute a new solution.',
  },
  CREDENTIAL_IN_USE: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'This passkey still owns the wallet on a network. Remove it there first.',
  },
  REBUILD: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'This operation can no longer be included. Build it again and sign the new one.',
  },
  NOT_REPLACEABLE: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'Only an operation of the same account and network that is not included can be replaced.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'This Idempotency-Key was used with another request.',
  },
  REQUEST_IN_PROGRESS: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'A request with this Idempotency-Key is running. Send it again after Retry-After.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    trpc: 'TIMEOUT',
    message: 'The request did not arrive within its time. Send it again.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, trpc: 'PAYLOAD_TOO_LARGE', message: 'The request is too large.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    trpc: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the body as application/json in UTF-8.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    trpc: 'PAYLOAD_TOO_LARGE',
    message: 'The path and the headers of the request are larger than 16 KiB.',
  },
  TOO_MANY_BUILDS: {
    status: 429,
    trpc: 'TOO_MANY_REQUESTS',
    message: 'Too many builds of this wallet wait for a signature. Sign one, or wait until one ends.',
  },
  RATE_LIMITED: { status: 429, trpc: 'TOO_MANY_REQUESTS', message: 'Too many requests. Try again later.' },
  INTERNAL: { status: 500, trpc: 'INTERNAL_SERVER_ERROR', message: 'Something went wrong on our side.' },
  NETWORK_FAILED: {
    status: 502,
    trpc: 'BAD_GATEWAY',
    message: 'The network answered with something that cannot be right.',
  },
  BUNDLER_FAILED: {
    status: 502,
    trpc: 'BAD_GATEWAY',
    message: 'The bundler answered with something that cannot be used.',
  },
  SIGNER_FAILED: {
    status: 502,
    trpc: 'BAD_GATEWAY',
    message: "The signer of the operator's keys answered with something that cannot be used.",
  },
  NETWORK_UNAVAILABLE: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'The network does not answer. Nothing was lost; try again.',
  },
  BUNDLER_UNAVAILABLE: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'The bundler does not answer. A signed operation is kept and will be sent.',
  },
  SIGNER_UNAVAILABLE: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: "The signer of the operator's keys does not answer. Nothing was lost; try again.",
  },
  STARTING: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'The service is starting. Send the request again in a moment.',
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'The database does not answer. Try again.',
  },
  INCLUSION_TIMEOUT: {
    status: 504,
    trpc: 'GATEWAY_TIMEOUT',
    message: 'The operation is on its way but not included yet. Ask for its status by userOpHash.',
  },
} as const satisfies Record<string, ErrorDefinition>

/** The `code` of an error body. */
export type ErrorCode = keyof typeof errorTable

/** All codes, in the order of the table. */
export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]] // Object.keys loses the literal keys
