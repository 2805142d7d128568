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
  /** tRPC's own name, for clients that branch on it. */
  readonly trpc: TrpcCode
  /** The default message for the caller, if the code that throws has no more specific one. */
  readonly message: string
  /** The usual cause: `docs/errors.md` and `/docs/errors` show it. */
  readonly why: string
  /** What the caller should do. */
  readonly todo: string
  /**
   * The same request would always fail this way, so a retry with its Idempotency-Key gets the same error
   * replayed. All other errors depend on something that changes (a balance, a fee, a busy lane, an RPC that
   * is down). Their retry runs again, which is safe, because a rejected request changed nothing. That
   * includes REBUILD: a node may just have been behind, and a dropped operation may still be included.
   */
  readonly isLasting: boolean
}

/**
 * Every error that leaves the service, declared once. Both transports, the OpenAPI document and the
 * generated client derive from this table.
 */
export const errorTable = {
  INVALID_INPUT: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The request is malformed; see issues.',
    why: 'A member is missing, has another type, or breaks a bound; `issues` names each place.',
    todo: 'Fix the fields listed in `issues`. The same request would be refused again.',
    isLasting: false,
  },
  INVALID_JSON: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The body is not valid JSON.',
    why: 'The body cannot be parsed.',
    todo: 'Send one JSON object, in UTF-8.',
    isLasting: false,
  },
  UNKNOWN_NETWORK: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'This network is not configured here.',
    why: 'The operator configured other networks.',
    todo: 'Ask `GET /networks` for those that there are.',
    isLasting: false,
  },
  NOTHING_TO_DO: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message:
      'The account is deployed on this network already, so an operation without transactionDetails would do nothing.',
    why: 'An operation without calls can only deploy, and the account is deployed there.',
    todo: 'Send `transactionDetails`.',
    isLasting: true,
  },
  EXECUTION_REVERTED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'A call of this operation would revert. Send allowRevert: true to build it nevertheless.',
    why: 'The simulation of the calls reverted; the body has the reason and the index of the call.',
    todo: 'Fix the call. With `allowRevert: true` it is built all the same, and the account pays for the failure.',
    isLasting: false,
  },
  INSUFFICIENT_FUNDS: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The account cannot pay for this operation on this network.',
    why: 'The account has less of the native coin than the operation can cost; the body says what is missing.',
    todo: 'Fund the account on that network, send less, or have the operation sponsored.',
    isLasting: false,
  },
  FEE_TOO_LOW: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The fees of this operation no longer cover its inclusion. Build it again.',
    why: 'Gas has become more expensive since the build.',
    todo: 'Build again with `replaces`, and sign the new operation.',
    isLasting: false,
  },
  PAYMASTER_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The paymaster does not accept this operation.',
    why: 'The paymaster of `paymasterData` does not pay for this, or the budget for sponsoring is spent.',
    todo: 'Let the account pay, or ask whoever runs the paymaster.',
    isLasting: false,
  },
  OPERATION_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The entry point or the bundler refuses this operation.',
    why: 'EntryPoint or the bundler would not take it; the message says what they found.',
    todo: 'Fix that, and build again.',
    isLasting: false,
  },
  INVALID_SIGNATURE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The signature is not valid for any pending operation of this wallet.',
    why: 'Another key signed, or another message, or for another wallet.',
    todo: 'Sign exactly the 32 bytes of `messageToSign`, with a key that owns the wallet.',
    isLasting: false,
  },
  SIGNATURE_OVER_TEXT: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message:
      'The signature covers the 66 characters of the hex text. Sign the 32 bytes of messageToSign instead (in viem: signMessage({ message: { raw: messageToSign } })).',
    why: 'The wallet signed the hex digits as text.',
    todo: 'Hand the wallet bytes: in viem `signMessage({ message: { raw: messageToSign } })`.',
    isLasting: true,
  },
  SIGNATURE_COMPACT: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The signature is in the compact 64-byte form of ERC-2098. Send the 65-byte form r, s, v.',
    why: 'The signature has 64 bytes (ERC-2098).',
    todo: 'Send r, s and v: 65 bytes.',
    isLasting: true,
  },
  SIGNATURE_MALLEABLE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The signature has an s in the upper half of the curve order. Send its canonical form.',
    why: 's is in the upper half of the order of the curve (EIP-2), so a second signature would do, too.',
    todo: 'Normalise the signature: s becomes n − s, and v changes sides.',
    isLasting: true,
  },
  SIGNATURE_OVER_MESSAGE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message:
      "This is the owner's own signature over the message, not the account's. Sign typedData of /smart-account/message/prepare instead.",
    why: 'An owner signed the message itself. A verifier asks the account, whose owners sign a SafeMessage that names it.',
    todo: 'Sign `typedData` of `POST /smart-account/message/prepare`.',
    isLasting: false,
  },
  OWNER_NOT_HERE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'This owner cannot sign for the wallet on this network.',
    why: 'Owners are per network: this one was removed there, was added elsewhere, or the account is not deployed there, where only its first owner can sign.',
    todo: 'Sign with an owner that `prepare` lists, or add this one on that network.',
    isLasting: false,
  },
  UNSUPPORTED_SIGNATURE_TYPE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'This operation was built for another kind of signature.',
    why: '`signatureType` is another one than the operation was built for.',
    todo: 'Use the `signMode` that the build answered.',
    isLasting: true,
  },
  VERIFICATION_FAILED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The WebAuthn ceremony could not be verified.',
    why: 'The challenge was used or is over five minutes old, or origin, domain, counter or signature are not right.',
    todo: 'Begin the ceremony again. If it goes on: RP_ID and ORIGINS have to be those of the page.',
    isLasting: false,
  },
  USERNAME_TAKEN: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'A user of this name is already registered.',
    why: 'A user has this name, in some case, or a name in another script that looks the same (UTS 39).',
    todo: 'Choose another one, or sign in.',
    isLasting: false,
  },
  USERNAME_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'Nobody can take this name.',
    why: 'The name mixes scripts (more than UTS 39 calls highly restrictive), or looks like an address. The message says which.',
    todo: 'Choose a name in one script that does not begin with 0x. Users who have such a name keep it.',
    isLasting: false,
  },
  LAST_OWNER: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'This owner is the last one on a network. Add another owner there first.',
    why: 'An account without an owner is lost, so the last one cannot be removed.',
    todo: 'Add another owner on that network first.',
    isLasting: false,
  },
  DEPLOYMENT_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The service does not pay for this deployment. Register without deployWallet.',
    why: '`deployWallet=true` is off on this network, or its budget of the day is spent.',
    todo: 'Register without it; the first operation deploys the account.',
    isLasting: false,
  },
  NO_SMART_BALANCE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'This network has no smart balance.',
    why: 'The operator has no SmartBalance contract there.',
    todo: 'Use a network whose `smartBalance` in `GET /networks` is not null.',
    isLasting: false,
  },
  INSUFFICIENT_LIQUIDITY: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The operator cannot lend that much on this network now.',
    why: 'What is lent elsewhere is not collected yet, or the hourly cap is reached.',
    todo: 'Ask for less, or later. Deposits are not touched.',
    isLasting: false,
  },
  LIMIT_BREACHED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The fee of this order breaks the limit.',
    why: 'With its fee the order costs more, or brings less, than `limit`; the body has the figure that passes.',
    todo: 'Ask with that limit if it is acceptable, or with another amount.',
    isLasting: false,
  },
  AMOUNT_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'No order can be made of this amount.',
    why: 'The amount is zero, eaten by its fee, or needs more networks than an order can name.',
    todo: 'Ask `getquote` for another amount.',
    isLasting: false,
  },
  EXIT_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'There is no exit to cancel or to finalise yet.',
    why: 'Nothing is exiting, or its seven days have not passed; the body says when they have.',
    todo: 'Request an exit, or come back then.',
    isLasting: false,
  },
  GAS_BUDGET_EXCEEDED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The operation may cost more gas than the order has a budget for.',
    why: 'The order was priced for an operation of less gas; the body has both figures.',
    todo: 'Compute a new solution with the `gasBudget` that the body names, or do less in one operation.',
    isLasting: false,
  },
  ORDER_MISMATCH: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The operation is not the one that the order was reserved for.',
    why: 'The calls in front are not those that were reserved.',
    todo: 'Put the calls of the solution in front, unchanged, in their order.',
    isLasting: false,
  },
  NO_SESSION_KEYS: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'This network has no session keys.',
    why: 'The operator has no SessionKeys contract there.',
    todo: 'Use a network whose `sessionKeys` in `GET /networks` is not null.',
    isLasting: false,
  },
  SESSION_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The session does not allow this.',
    why: 'A call is outside of what the owner granted, or a limit is reached; the message says which.',
    todo: 'Do less, or ask the owner for another session.',
    isLasting: false,
  },
  UNAUTHORIZED: {
    status: 401,
    trpc: 'UNAUTHORIZED',
    message: 'Valid credentials are required.',
    why: 'The API key or the token is missing, unknown or past its end.',
    todo: 'Send `x-api-key`, and `Authorization: Bearer` with a token of signing in where it is private.',
    isLasting: false,
  },
  FORBIDDEN: {
    status: 403,
    trpc: 'FORBIDDEN',
    message: 'These credentials do not allow this.',
    why: 'The credentials are good, but do not fit: a publishable key of another page, another user.',
    todo: 'Use the credentials of whoever may do it.',
    isLasting: false,
  },
  UNKNOWN_WALLET: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'No wallet of this service has this address. An EOA gets one by POST /smart-account/create.',
    why: 'The address is well-formed and none of this service.',
    todo: 'An EOA gets its account by `POST /smart-account/create`, a passkey by registering.',
    isLasting: false,
  },
  UNKNOWN_USER: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'There is no user of this name.',
    why: 'Nobody has this name.',
    todo: 'Look for them with `GET /api/user/search`.',
    isLasting: false,
  },
  UNKNOWN_OWNER: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'This is no owner of the wallet on any network.',
    why: 'It owns the wallet on no network that answers.',
    todo: 'Read the owners with `GET /smart-account/owner`.',
    isLasting: false,
  },
  UNKNOWN_CREDENTIAL: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'This user has no passkey of this id.',
    why: 'The id is of no passkey of this user.',
    todo: "List them with `GET /v3/webauthn/credentials` and the user's token.",
    isLasting: false,
  },
  UNKNOWN_OPERATION: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'No pending or past operation of this service fits.',
    why: 'The hash is of no operation here, or nothing waits for this signature any more.',
    todo: 'Build the operation, or ask with the `userOpHash` of the submission.',
    isLasting: false,
  },
  UNKNOWN_SESSION: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'The key has no session with this account on this network: it was revoked, or never granted.',
    why: 'The key was never granted a session there, or it was revoked.',
    todo: 'Ask the owner to grant one.',
    isLasting: false,
  },
  UNKNOWN_ORDER: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'There is no order of this id.',
    why: 'No order has this id.',
    todo: 'Use the `orderId` of the solution.',
    isLasting: false,
  },
  UNKNOWN_ROUTE: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'There is nothing at this path.',
    why: 'Paths are exact, prefixes included.',
    todo: 'See `/docs/reference`, or `/openapi.json`.',
    isLasting: false,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    trpc: 'METHOD_NOT_SUPPORTED',
    message: 'This path does not take this method.',
    why: 'The path exists with another method.',
    todo: 'Use the one that `Allow` names.',
    isLasting: false,
  },
  OPERATION_IN_FLIGHT: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'The first operation of this account is under way on this network. Wait until it is included.',
    why: 'The operation that deploys the account is not included yet, and a second one would deploy it again.',
    todo: 'Wait for it: `GET /smart-account/transaction/status`.',
    isLasting: false,
  },
  LANES_EXHAUSTED: {
    status: 409,
    trpc: 'CONFLICT',
    message:
      'Too many operations of this account are under way on this network. Wait for one to be included.',
    why: 'Sixteen signed operations of the account are under way on this network.',
    todo: 'Wait for one of them.',
    isLasting: false,
  },
  ORDER_OPEN: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'Another order of this account is signed by the operator. Submit it, or wait until it expires.',
    why: 'The operator signed an order of this account that is still good.',
    todo: 'Submit it, or wait until its `expiresAt`.',
    isLasting: false,
  },
  ORDER_EXPIRED: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'The order has expired, was replaced, or is under way. Compute a new solution.',
    why: 'Ten minutes passed, a newer order took its place, or it is spent.',
    todo: 'Compute a new solution.',
    isLasting: false,
  },
  CREDENTIAL_IN_USE: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'This passkey still owns the wallet on a network. Remove it there first.',
    why: 'Forgotten here, the passkey would still own the account on a chain.',
    todo: 'Remove it as an owner on every network before.',
    isLasting: false,
  },
  REBUILD: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'This operation can no longer be included. Build it again and sign the new one.',
    why: 'Another operation has its nonce, the account was deployed meanwhile, or a reorganisation took away what it stood on.',
    todo: 'Build it again, and sign the new one.',
    isLasting: false,
  },
  NOT_REPLACEABLE: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'Only an operation of the same account and network that is not included can be replaced.',
    why: 'What `replaces` names is included, final, expired, or of another account or network.',
    todo: 'Build without `replaces`.',
    isLasting: true,
  },
  IDEMPOTENCY_MISMATCH: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'This Idempotency-Key was used with another request.',
    why: 'A key stands for one request, for 24 hours.',
    todo: 'Use a new key for a new request, and the old one only to repeat.',
    isLasting: false,
  },
  REQUEST_IN_PROGRESS: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'A request with this Idempotency-Key is running. Send it again after Retry-After.',
    why: 'The first request with this key has not answered yet. If its process died, the key is free within ten seconds.',
    todo: 'Send the same request again after `Retry-After` seconds; it is answered what the first one was.',
    isLasting: false,
  },
  REQUEST_TIMEOUT: {
    status: 408,
    trpc: 'TIMEOUT',
    message: 'The request did not arrive within its time. Send it again.',
    why: 'Headers took more than 10 s, or the request more than 30 s, to arrive.',
    todo: 'Send it again.',
    isLasting: false,
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    trpc: 'PAYLOAD_TOO_LARGE',
    message: 'The request is too large.',
    why: 'More than 256 KiB.',
    todo: 'Send less, or several operations.',
    isLasting: false,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    trpc: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the body as application/json in UTF-8.',
    why: 'Another content type or charset, or a compressed body.',
    todo: 'Send `content-type: application/json`, in UTF-8, uncompressed.',
    isLasting: false,
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    trpc: 'PAYLOAD_TOO_LARGE',
    message: 'The path and the headers of the request are larger than 16 KiB.',
    why: 'More than 16 KiB before the body.',
    todo: 'Send fewer headers, or a shorter query.',
    isLasting: false,
  },
  TOO_MANY_BUILDS: {
    status: 429,
    trpc: 'TOO_MANY_REQUESTS',
    message: 'Too many builds of this wallet wait for a signature. Sign one, or wait until one ends.',
    why: 'One caller has 64 builds of a wallet that can still be signed.',
    todo: 'Sign one of them, or wait as many seconds as `Retry-After` says: then the first one ends.',
    isLasting: false,
  },
  RATE_LIMITED: {
    status: 429,
    trpc: 'TOO_MANY_REQUESTS',
    message: 'Too many requests. Try again later.',
    why: 'More calls a minute than this address or key may make.',
    todo: 'Wait as many seconds as `Retry-After` says. Servers use a secret API key, which may call more often.',
    isLasting: false,
  },
  INTERNAL: {
    status: 500,
    trpc: 'INTERNAL_SERVER_ERROR',
    message: 'Something went wrong on our side.',
    why: 'A fault of the service. Its log has the cause by `requestId`.',
    todo: 'Tell the operator the `requestId`. Repeating is safe with the same `Idempotency-Key`.',
    isLasting: false,
  },
  NETWORK_FAILED: {
    status: 502,
    trpc: 'BAD_GATEWAY',
    message: 'The network answered with something that cannot be right.',
    why: 'An RPC answered what contradicts itself or the chain.',
    todo: 'Try again later. Operators: look at the RPC.',
    isLasting: false,
  },
  BUNDLER_FAILED: {
    status: 502,
    trpc: 'BAD_GATEWAY',
    message: 'The bundler answered with something that cannot be used.',
    why: 'A remote bundler answered what cannot be read.',
    todo: 'Try again later. A signed operation is kept. Operators: look at the bundler.',
    isLasting: false,
  },
  PAYMASTER_FAILED: {
    status: 502,
    trpc: 'BAD_GATEWAY',
    message: 'The external paymaster answered with something that cannot be used.',
    why: 'A gas policy names an external paymaster, which does not answer, refuses, or answers something else than was asked.',
    todo: 'Try again later, or let the account pay: no other payer takes its place. Operators: look at the paymaster.',
    isLasting: false,
  },
  SIGNER_FAILED: {
    status: 502,
    trpc: 'BAD_GATEWAY',
    message: "The signer of the operator's keys answered with something that cannot be used.",
    why: "The signer of the operator's keys refused, or answered another key's signature.",
    todo: 'Try again later. Operators: see docs/keys.md.',
    isLasting: false,
  },
  NETWORK_UNAVAILABLE: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'The network does not answer. Nothing was lost; try again.',
    why: 'No RPC of the network answers in time.',
    todo: 'Try again. Other networks go on.',
    isLasting: false,
  },
  BUNDLER_UNAVAILABLE: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'The bundler does not answer. A signed operation is kept and will be sent.',
    why: 'The bundler does not answer in time.',
    todo: 'Nothing: a signed operation is kept and sent. Ask for its status.',
    isLasting: false,
  },
  SIGNER_UNAVAILABLE: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: "The signer of the operator's keys does not answer. Nothing was lost; try again.",
    why: "The signer of the operator's keys does not answer in time.",
    todo: 'Try again. Nothing was lost.',
    isLasting: false,
  },
  STARTING: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'The service is starting. Send the request again in a moment.',
    why: 'The process has just begun.',
    todo: 'Send it again after `Retry-After`.',
    isLasting: false,
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'The database does not answer. Try again.',
    why: 'PostgreSQL does not answer. Without it nothing is promised, so nothing is begun.',
    todo: 'Try again, with the same `Idempotency-Key`.',
    isLasting: false,
  },
  INCLUSION_TIMEOUT: {
    status: 504,
    trpc: 'GATEWAY_TIMEOUT',
    message: 'The operation is on its way but not included yet. Ask for its status by userOpHash.',
    why: 'The chain takes longer than INCLUSION_TIMEOUT. The operation is tracked on.',
    todo: 'Ask `GET /smart-account/transaction/status`. Sending the same signature again waits for the same operation.',
    isLasting: false,
  },
} as const satisfies Record<string, ErrorDefinition>

/** The `code` of an error body. */
export type ErrorCode = keyof typeof errorTable

/** All codes, in the order of the table. */
export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]] // Object.keys loses the literal keys
