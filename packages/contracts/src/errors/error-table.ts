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
  | 'NOT_IMPLEMENTED'

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
    why: 'A member is missing, has the wrong type, or is out of range. `issues` names each place.',
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
    todo: 'Read the configured networks with `GET /networks`.',
    isLasting: false,
  },
  NOTHING_TO_DO: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message:
      'The account is already deployed on this network, so an operation without transactionDetails would do nothing.',
    why: 'An operation without calls can only deploy the account, which is already deployed there.',
    todo: 'Send `transactionDetails`.',
    isLasting: true,
  },
  EXECUTION_REVERTED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'A call of this operation would revert. Send allowRevert: true to build it anyway.',
    why: 'The simulation of the calls reverted. The body has the reason and the index of the call.',
    todo: 'Fix the call. With `allowRevert: true` it is built anyway, and the account pays for the failure.',
    isLasting: false,
  },
  INSUFFICIENT_FUNDS: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The account cannot pay for this operation on this network.',
    why: 'The account has less of the native coin than the operation can cost. The body says how much is missing.',
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
    why: 'The paymaster of `paymasterData` does not pay for this operation, or the budget for sponsored gas is spent.',
    todo: 'Let the account pay, or ask whoever runs the paymaster.',
    isLasting: false,
  },
  GAS_OWED: {
    status: 403,
    trpc: 'FORBIDDEN',
    message: 'This account owes gas to the relayer. Its next operation has to repay it.',
    why: 'A transaction with an operation of this account (or of this caller, for an account with foreign contracts) reverted on chain although its simulation passed, or somebody brought the operation to the entry point first. `owed` is what that cost, in wei.',
    todo: 'Build again, and let the account pay: the build includes what is owed. An account with another singleton, fallback handler, guard, module or signer first has to return to what this service deploys.',
    isLasting: false,
  },
  SPONSORSHIP_SUSPENDED: {
    status: 403,
    trpc: 'FORBIDDEN',
    message: 'The service pays for no gas of this caller for some time.',
    why: 'Sponsored operations of this account or caller were sent to the entry point by others, or used far less gas than they claimed to need. The message says which, and `resetsAt` when it ends.',
    todo: 'Let the account pay, wait until `resetsAt`, or ask the operator to end it (`lanyard policies resume`).',
    isLasting: false,
  },
  OPERATION_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The entry point or the bundler refuses this operation.',
    why: 'EntryPoint or the bundler rejected it. The message says why.',
    todo: 'Fix the cause, and build again.',
    isLasting: false,
  },
  INVALID_SIGNATURE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The signature is not valid for any pending operation of this wallet.',
    why: 'Another key signed, or the signature is for another message or another wallet.',
    todo: 'Sign exactly the 32 bytes of `messageToSign`, with a key that owns the wallet.',
    isLasting: false,
  },
  SIGNATURE_OVER_TEXT: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message:
      'The signature covers the 66 characters of the hex text. Sign the 32 bytes of messageToSign instead (in viem: signMessage({ message: { raw: messageToSign } })).',
    why: 'The wallet signed the hex digits as text.',
    todo: 'Pass bytes to the wallet: in viem `signMessage({ message: { raw: messageToSign } })`.',
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
    why: 's is in the upper half of the curve order (EIP-2), so a second signature would also be valid.',
    todo: 'Normalise the signature: replace s with n − s, and flip v.',
    isLasting: true,
  },
  SIGNATURE_OVER_MESSAGE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message:
      "This is the owner's own signature over the message, not the account's. Sign typedData of /smart-account/message/prepare instead.",
    why: 'An owner signed the message itself. A verifier asks the account, and its owners must sign a SafeMessage that names the account.',
    todo: 'Sign `typedData` of `POST /smart-account/message/prepare`.',
    isLasting: false,
  },
  OWNER_NOT_HERE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'This owner cannot sign for the wallet on this network.',
    why: 'Each network has its own owners. This owner was removed there, or was added on another network only. If the account is not deployed there, only its first owner can sign.',
    todo: 'Sign with an owner that `prepare` lists, or add this one on that network.',
    isLasting: false,
  },
  UNSUPPORTED_SIGNATURE_TYPE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'This operation was built for another kind of signature.',
    why: 'The operation was built for another `signatureType`.',
    todo: 'Use the `signMode` that the build returned.',
    isLasting: true,
  },
  VERIFICATION_FAILED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The WebAuthn ceremony could not be verified.',
    why: 'The challenge was already used or is over five minutes old, or the origin, domain, counter or signature is wrong.',
    todo: 'Start the ceremony again. If it fails again, check that RP_ID and ORIGINS match the page.',
    isLasting: false,
  },
  USERNAME_TAKEN: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'A user with this name is already registered.',
    why: 'Another user has this name, perhaps in upper or lower case, or a name in another script that looks the same (UTS 39).',
    todo: 'Choose another one, or sign in.',
    isLasting: false,
  },
  USERNAME_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'Nobody can take this name.',
    why: "The name mixes scripts (beyond UTS 39's highly restrictive level), or looks like an address. The message says which.",
    todo: 'Choose a name in one script that does not begin with 0x. Users who already have a refused name keep it.',
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
    why: "`deployWallet=true` is off on this network, or the day's budget is spent.",
    todo: 'Register without it. The first operation deploys the account.',
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
    message: 'The operator cannot lend that much on this network now. Ask for less, or try later.',
    why: 'The operator has not yet collected what it lent before, or the hourly cap is reached.',
    todo: 'Ask for less, or try later. Deposits are not affected.',
    isLasting: false,
  },
  LIMIT_BREACHED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The fee of this order exceeds the limit.',
    why: 'With its fee, the order costs more, or delivers less, than `limit` allows. The body has the limit that it needs.',
    todo: 'Repeat with that limit if you accept it, or with another amount.',
    isLasting: false,
  },
  AMOUNT_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'No order can be made for this amount.',
    why: 'The amount is zero, is smaller than its fee, or needs more networks than an order can name.',
    todo: 'Ask `getquote` for another amount.',
    isLasting: false,
  },
  EXIT_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'There is no exit to cancel or to finalise yet.',
    why: 'Nothing is exiting, or the seven days have not passed. The body says when they will have.',
    todo: 'Request an exit, or finalise it after that time.',
    isLasting: false,
  },
  GAS_BUDGET_EXCEEDED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: "The operation may cost more gas than the order's budget.",
    why: 'The order was priced for an operation with less gas. The body has both figures.',
    todo: 'Compute a new solution with the `gasBudget` that the body names, or do less in one operation.',
    isLasting: false,
  },
  ORDER_MISMATCH: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The operation is not the one that the order was reserved for.',
    why: 'The batch does not begin with the calls that were reserved.',
    todo: 'Put the calls of the solution first, unchanged and in order.',
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
  NO_OWNERSHIP: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'No network has the Ownership module.',
    why: 'The operator did not deploy it, or did not name it in the networks file.',
    todo: 'Change owners network by network: `POST /smart-account/owner/add` and `remove`.',
    isLasting: false,
  },
  OTHER_CHANGE_SIGNED: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'An owner has signed another change with this sequence.',
    why: 'Networks that apply different changes of one sequence are split. Another owner signed at the same time, or the same owner signed twice.',
    todo: 'Prepare the change again: it gets the next sequence.',
    isLasting: false,
  },
  SESSION_REFUSED: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The session does not allow this.',
    why: 'The owner did not grant a call, or a limit is reached. The message says which.',
    todo: 'Do less, or ask the owner for another session.',
    isLasting: false,
  },
  UNAUTHORIZED: {
    status: 401,
    trpc: 'UNAUTHORIZED',
    message: 'Valid credentials are required.',
    why: 'The API key or the token is missing, unknown or expired.',
    todo: 'Send `x-api-key`, and for private data also `Authorization: Bearer` with the token from signing in.',
    isLasting: false,
  },
  FORBIDDEN: {
    status: 403,
    trpc: 'FORBIDDEN',
    message: 'These credentials do not allow this.',
    why: 'The credentials are valid, but do not fit: a publishable key from another page, or the token of another user.',
    todo: 'Use credentials that allow this.',
    isLasting: false,
  },
  UNKNOWN_WALLET: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'No wallet of this service has this address. An EOA gets one by POST /smart-account/create.',
    why: 'The address is well-formed, but this service has no such wallet.',
    todo: 'An EOA gets its account by `POST /smart-account/create`, a passkey by registering.',
    isLasting: false,
  },
  UNKNOWN_USER: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'There is no user with this name.',
    why: 'Nobody has this username.',
    todo: 'Search with `GET /api/user/search`.',
    isLasting: false,
  },
  UNKNOWN_OWNER: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'The wallet does not have this owner on any network.',
    why: 'On every network that answers, the wallet has other owners.',
    todo: 'Read the owners with `GET /smart-account/owner`.',
    isLasting: false,
  },
  UNKNOWN_CREDENTIAL: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'This user has no passkey with this id.',
    why: 'The user has other passkeys, or none.',
    todo: "List the passkeys with `GET /v3/webauthn/credentials` and the user's token.",
    isLasting: false,
  },
  UNKNOWN_OPERATION: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'No pending or past operation of this service matches.',
    why: 'This service has no operation with this hash, or no operation waits for this signature any more.',
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
    message: 'There is no order with this id.',
    why: 'No order has this id.',
    todo: 'Use the `orderId` of the solution.',
    isLasting: false,
  },
  UNKNOWN_ROUTE: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'There is nothing at this path.',
    why: 'Paths must match exactly, including their prefix.',
    todo: 'See `/docs/reference`, or `/openapi.json`.',
    isLasting: false,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    trpc: 'METHOD_NOT_SUPPORTED',
    message: 'This path does not support this method.',
    why: 'The path exists, but with another method.',
    todo: 'Use a method that `Allow` names.',
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
    why: 'The operator signed an order of this account that is still valid.',
    todo: 'Submit it, or wait until its `expiresAt`.',
    isLasting: false,
  },
  ORDER_EXPIRED: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'The order has expired, was replaced, or is already in progress. Compute a new solution.',
    why: 'Ten minutes have passed, a newer order replaced it, or it was already used.',
    todo: 'Compute a new solution.',
    isLasting: false,
  },
  CREDENTIAL_IN_USE: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'This passkey still owns the wallet on a network. Remove it there first.',
    why: 'If the service forgot the passkey, the passkey would still own the account on a chain.',
    todo: 'First remove it as an owner on every network.',
    isLasting: false,
  },
  REBUILD: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'This operation can no longer be included. Build it again and sign the new one.',
    why: 'Another operation has its nonce, the account was deployed meanwhile, or a reorganisation removed blocks that it depends on.',
    todo: 'Build it again, and sign the new one.',
    isLasting: false,
  },
  NOT_REPLACEABLE: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'Only an operation of the same account and network that is not yet included can be replaced.',
    why: 'The operation in `replaces` is included, final or expired, or belongs to another account or network.',
    todo: 'Build without `replaces`.',
    isLasting: true,
  },
  IDEMPOTENCY_MISMATCH: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'This Idempotency-Key was used with another request.',
    why: 'A key stands for one request, for 24 hours.',
    todo: 'Use a new key for a new request, and the old key only to repeat the old request.',
    isLasting: false,
  },
  REQUEST_IN_PROGRESS: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'A request with this Idempotency-Key is running. Send it again after Retry-After.',
    why: 'The first request with this key has not answered yet. If its process died, the key is free within ten seconds.',
    todo: 'Send the same request again after `Retry-After` seconds. It gets the same answer as the first one.',
    isLasting: false,
  },
  REQUEST_TIMEOUT: {
    status: 408,
    trpc: 'TIMEOUT',
    message: 'The request did not arrive in time. Send it again.',
    why: 'The headers took more than 10 s to arrive, or the request more than 30 s.',
    todo: 'Send it again.',
    isLasting: false,
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    trpc: 'PAYLOAD_TOO_LARGE',
    message: 'The request is too large.',
    why: 'The request is larger than 256 KiB.',
    todo: 'Send less, or split the request into several.',
    isLasting: false,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    trpc: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the body as application/json in UTF-8.',
    why: 'The request has another content type or charset, or a compressed body.',
    todo: 'Send `content-type: application/json`, in UTF-8, uncompressed.',
    isLasting: false,
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    trpc: 'PAYLOAD_TOO_LARGE',
    message: 'The path and the headers of the request are larger than 16 KiB.',
    why: 'The request has more than 16 KiB before its body.',
    todo: 'Send fewer headers, or a shorter query.',
    isLasting: false,
  },
  UNSUPPORTED_TRANSFER_ENCODING: {
    status: 501,
    trpc: 'NOT_IMPLEMENTED',
    message: 'The transfer coding of the body is not supported. The only one is `chunked`.',
    why: 'The header `Transfer-Encoding` has another value than `chunked`.',
    todo: 'Send `Content-Length`, or `Transfer-Encoding: chunked`.',
    isLasting: false,
  },
  TOO_MANY_BUILDS: {
    status: 429,
    trpc: 'TOO_MANY_REQUESTS',
    message: 'Too many builds of this wallet wait for a signature. Sign one, or wait until one expires.',
    why: 'One caller has 64 builds of this wallet that can still be signed.',
    todo: 'Sign one of them, or wait for `Retry-After` seconds, until the first one expires.',
    isLasting: false,
  },
  TOO_MANY_OPERATIONS: {
    status: 429,
    trpc: 'TOO_MANY_REQUESTS',
    message: 'Too many operations of this wallet wait for inclusion on this network. Wait for one of them.',
    why: 'The wallet has signed operations with 48 different nonces on this network that are in no block yet.',
    todo: 'Wait until one is included, or replace one with `replaces`. The build stays valid until it expires.',
    isLasting: false,
  },
  RATE_LIMITED: {
    status: 429,
    trpc: 'TOO_MANY_REQUESTS',
    message: 'Too many requests. Try again later.',
    why: 'This address or key made more calls than it may make in a minute.',
    todo: 'Wait for `Retry-After` seconds. Servers can use a secret API key, which may call more often.',
    isLasting: false,
  },
  INTERNAL: {
    status: 500,
    trpc: 'INTERNAL_SERVER_ERROR',
    message: 'Something went wrong on our side.',
    why: 'The service has a fault. Its log has the cause by `requestId`.',
    todo: 'Tell the operator the `requestId`. A retry with the same `Idempotency-Key` is safe.',
    isLasting: false,
  },
  NETWORK_FAILED: {
    status: 502,
    trpc: 'BAD_GATEWAY',
    message: 'The network gave an answer that cannot be right. Try again later.',
    why: 'The answer of an RPC contradicts itself or the chain.',
    todo: 'Try again later. Operators: check the RPC.',
    isLasting: false,
  },
  BUNDLER_FAILED: {
    status: 502,
    trpc: 'BAD_GATEWAY',
    message: 'The bundler gave an answer that cannot be used. Try again later.',
    why: 'The answer of a remote bundler cannot be parsed.',
    todo: 'Try again later. A signed operation is kept. Operators: check the bundler.',
    isLasting: false,
  },
  PAYMASTER_FAILED: {
    status: 502,
    trpc: 'BAD_GATEWAY',
    message:
      'The external paymaster gave an answer that cannot be used. Try again later, or let the account pay.',
    why: 'A gas policy names an external paymaster that does not answer, refuses, or gives an answer that does not match the request.',
    todo: 'Try again later, or let the account pay. No other payer replaces the paymaster. Operators: check the paymaster.',
    isLasting: false,
  },
  SIGNER_FAILED: {
    status: 502,
    trpc: 'BAD_GATEWAY',
    message: "The signer of the operator's keys gave an answer that cannot be used. Try again later.",
    why: "The signer of the operator's keys refused, or returned the signature of another key.",
    todo: 'Try again later. Operators: see docs/keys.md.',
    isLasting: false,
  },
  NETWORK_UNAVAILABLE: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'The network does not answer. Nothing was lost; try again.',
    why: 'No RPC of the network answered in time.',
    todo: 'Try again. Other networks still work.',
    isLasting: false,
  },
  NETWORK_UNCONFIRMED: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'Two RPCs of the network did not confirm its state. Nothing is lent until they do.',
    why: 'Loans need the same answer from two RPCs of different origin. They contradict each other, one of them does not answer, or only one is configured. `reason` says which: `disagree`, `silent`, `apart` or `alone`.',
    todo: 'Try again. If it lasts, the operator has to look at the RPCs of this network. Other networks still work.',
    isLasting: false,
  },
  BUNDLER_UNAVAILABLE: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'The bundler does not answer. A signed operation is kept and will be sent.',
    why: 'The bundler did not answer in time.',
    todo: 'Ask for the status of a signed operation: it is kept, and will be sent.',
    isLasting: false,
  },
  SIGNER_UNAVAILABLE: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: "The signer of the operator's keys does not answer. Nothing was lost; try again.",
    why: "The signer of the operator's keys did not answer in time.",
    todo: 'Try again. Nothing was lost.',
    isLasting: false,
  },
  STARTING: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'The service is starting. Send the request again in a moment.',
    why: 'The process has just started.',
    todo: 'Send it again after `Retry-After`.',
    isLasting: false,
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'The database does not answer. Try again.',
    why: 'PostgreSQL does not answer. The service does nothing that it cannot record.',
    todo: 'Try again, with the same `Idempotency-Key`.',
    isLasting: false,
  },
  INCLUSION_TIMEOUT: {
    status: 504,
    trpc: 'GATEWAY_TIMEOUT',
    message: 'The operation is on its way, but not included yet. Ask for its status by userOpHash.',
    why: 'The chain takes longer than INCLUSION_TIMEOUT. The service continues to track the operation.',
    todo: 'Ask `GET /smart-account/transaction/status`. If you send the same signature again, the request waits for the same operation.',
    isLasting: false,
  },
} as const satisfies Record<string, ErrorDefinition>

/** The `code` of an error body. */
export type ErrorCode = keyof typeof errorTable

/** All codes, in the order of the table. */
export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]] // Object.keys loses the literal keys
