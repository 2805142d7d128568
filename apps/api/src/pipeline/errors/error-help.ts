import type { ErrorCode } from '@lanyard/contracts'

interface ErrorHelp {
  /** What usually leads there. */
  readonly why: string
  /** What the caller does about it. */
  readonly todo: string
}

/** What each code of the error table means to whoever meets it; `docs/errors.md` and `/docs/errors` are made of it. */
export const errorHelp = {
  INVALID_INPUT: {
    why: 'A member is missing, has another type, or breaks a bound; `issues` names each place.',
    todo: 'Mend what `issues` names. The same request would be refused again.',
  },
  INVALID_JSON: { why: 'The body cannot be parsed.', todo: 'Send one JSON object, in UTF-8.' },
  UNKNOWN_NETWORK: {
    why: 'The operator configured other networks.',
    todo: 'Ask `GET /networks` for those that there are.',
  },
  NOTHING_TO_DO: {
    why: 'An operation without calls can only deploy, and the account is deployed there.',
    todo: 'Send `transactionDetails`.',
  },
  EXECUTION_REVERTED: {
    why: 'The simulation of the calls reverted; the body has the reason and the index of the call.',
    todo: 'Mend the call. With `allowRevert: true` it is built all the same, and the account pays for the failure.',
  },
  INSUFFICIENT_FUNDS: {
    why: 'The account has less of the native coin than the operation can cost; the body says what is missing.',
    todo: 'Fund the account on that network, send less, or have the operation sponsored.',
  },
  FEE_TOO_LOW: {
    why: 'Gas has become dearer since the build.',
    todo: 'Build again with `replaces`, and sign the new operation.',
  },
  PAYMASTER_REFUSED: {
    why: 'The paymaster of `paymasterData` does not pay for this, or the budget for sponsoring is spent.',
    todo: 'Let the account pay, or ask whoever runs the paymaster.',
  },
  OPERATION_REFUSED: {
    why: 'EntryPoint or the bundler would not take it; the message says what they found.',
    todo: 'Mend that, and build again.',
  },
  INVALID_SIGNATURE: {
    why: 'Another key signed, or another message, or for another wallet.',
    todo: 'Sign exactly the 32 bytes of `messageToSign`, with a key that owns the wallet.',
  },
  SIGNATURE_OVER_TEXT: {
    why: 'The wallet signed the hex digits as text.',
    todo: 'Hand the wallet bytes: in viem `signMessage({ message: { raw: messageToSign } })`.',
  },
  SIGNATURE_COMPACT: { why: 'The signature has 64 bytes (ERC-2098).', todo: 'Send r, s and v: 65 bytes.' },
  SIGNATURE_MALLEABLE: {
    why: 's is in the upper half of the order of the curve (EIP-2), so a second signature would do, too.',
    todo: 'Normalise the signature: s becomes n − s, and v changes sides.',
  },
  SIGNATURE_OVER_MESSAGE: {
    why: 'An owner signed the message itself. A verifier asks the account, whose owners sign a SafeMessage that names it.',
    todo: 'Sign `typedData` of `POST /smart-account/message/prepare`.',
  },
  OWNER_NOT_HERE: {
    why: 'Owners are per network: this one was removed there, was added elsewhere, or the account is not deployed there, where only its first owner can sign.',
    todo: 'Sign with an owner that `prepare` lists, or add this one on that network.',
  },
  UNSUPPORTED_SIGNATURE_TYPE: {
    why: '`signatureType` is another one than the operation was built for.',
    todo: 'Use the `signMode` that the build answered.',
  },
  VERIFICATION_FAILED: {
    why: 'The challenge was used or is over five minutes old, or origin, domain, counter or signature are not right.',
    todo: 'Begin the ceremony again. If it goes on: RP_ID and ORIGINS have to be those of the page.',
  },
  USERNAME_TAKEN: {
    why: 'A user has this name, in some case, or a name in another script that looks the same (UTS 39).',
    todo: 'Choose another one, or sign in.',
  },
  USERNAME_REFUSED: {
    why: 'The name mixes scripts (more than UTS 39 calls highly restrictive), or looks like an address. The message says which.',
    todo: 'Choose a name in one script that does not begin with 0x. Users who have such a name keep it.',
  },
  LAST_OWNER: {
    why: 'An account without an owner is lost, so the last one cannot be removed.',
    todo: 'Add another owner on that network before.',
  },
  DEPLOYMENT_REFUSED: {
    why: '`deployWallet=true` is off on this network, or its budget of the day is spent.',
    todo: 'Register without it; the first operation deploys the account.',
  },
  NO_SMART_BALANCE: {
    why: 'The operator has no SmartBalance contract there.',
    todo: 'Use a network whose `smartBalance` in `GET /networks` is not null.',
  },
  INSUFFICIENT_LIQUIDITY: {
    why: 'What is lent elsewhere is not collected yet, or the hourly cap is reached.',
    todo: 'Ask for less, or later. Deposits are not touched.',
  },
  LIMIT_BREACHED: {
    why: 'With its fee the order costs more, or brings less, than `limit`; the body has the figure that passes.',
    todo: 'Ask with that limit if it is acceptable, or with another amount.',
  },
  AMOUNT_REFUSED: {
    why: 'The amount is zero, eaten by its fee, or needs more networks than an order can name.',
    todo: 'Ask `getquote` for another amount.',
  },
  EXIT_REFUSED: {
    why: 'Nothing is exiting, or its seven days have not passed; the body says when they have.',
    todo: 'Request an exit, or come back then.',
  },
  GAS_BUDGET_EXCEEDED: {
    why: 'The order was priced for an operation of less gas; the body has both figures.',
    todo: 'Compute a new solution with the `gasBudget` that the body names, or do less in one operation.',
  },
  ORDER_MISMATCH: {
    why: 'The calls in front are not those that were reserved.',
    todo: 'Put the calls of the solution in front, unchanged, in their order.',
  },
  NO_SESSION_KEYS: {
    why: 'The operator has no SessionKeys contract there.',
    todo: 'Use a network whose `sessionKeys` in `GET /networks` is not null.',
  },
  SESSION_REFUSED: {
    why: 'A call is outside of what the owner granted, or a limit is reached; the message says which.',
    todo: 'Do less, or ask the owner for another session.',
  },
  UNAUTHORIZED: {
    why: 'The API key or the token is missing, unknown or past its end.',
    todo: 'Send `x-api-key`, and `Authorization: Bearer` with a token of signing in where it is private.',
  },
  FORBIDDEN: {
    why: 'The credentials are good, but for something else: a publishable key of another page, another user.',
    todo: 'Use the credentials of whoever may do it.',
  },
  UNKNOWN_WALLET: {
    why: 'The address is well-formed and none of this service.',
    todo: 'An EOA gets its account by `POST /smart-account/create`, a passkey by registering.',
  },
  UNKNOWN_USER: { why: 'Nobody has this name.', todo: 'Look for them with `GET /api/user/search`.' },
  UNKNOWN_OWNER: {
    why: 'It owns the wallet on no network that answers.',
    todo: 'Read the owners with `GET /smart-account/owner`.',
  },
  UNKNOWN_CREDENTIAL: {
    why: 'The id is of no passkey of this user.',
    todo: "List them with `GET /v3/webauthn/credentials` and the user's token.",
  },
  UNKNOWN_OPERATION: {
    why: 'The hash is of no operation here, or nothing waits for this signature any more.',
    todo: 'Build the operation, or ask with the `userOpHash` of the submission.',
  },
  UNKNOWN_SESSION: {
    why: 'The key was never granted a session there, or it was revoked.',
    todo: 'Ask the owner to grant one.',
  },
  UNKNOWN_ORDER: { why: 'No order has this id.', todo: 'Use the `orderId` of the solution.' },
  UNKNOWN_ROUTE: { why: 'Paths are exact, prefixes included.', todo: 'See `/docs`, or `/openapi.json`.' },
  METHOD_NOT_ALLOWED: {
    why: 'The path exists with another method.',
    todo: 'Use the one that `Allow` names.',
  },
  OPERATION_IN_FLIGHT: {
    why: 'The operation that deploys the account is not included yet, and a second one would deploy it again.',
    todo: 'Wait for it: `GET /smart-account/transaction/status`.',
  },
  LANES_EXHAUSTED: {
    why: 'Sixteen signed operations of the account are under way on this network.',
    todo: 'Wait for one of them.',
  },
  ORDER_OPEN: {
    why: 'The operator signed an order of this account that is still good.',
    todo: 'Submit it, or wait until its `expiresAt`.',
  },
  ORDER_EXPIRED: {
    why: 'Ten minutes passed, a newer order took its place, or it is spent.',
    todo: 'Compute a new solution.',
  },
  CREDENTIAL_IN_USE: {
    why: 'Forgotten here, the passkey would still own the account on a chain.',
    todo: 'Remove it as an owner on every network before.',
  },
  REBUILD: {
    why: 'Another operation has its nonce, the account was deployed meanwhile, or a reorganisation took away what it stood on.',
    todo: 'Build it again, and sign the new one.',
  },
  NOT_REPLACEABLE: {
    why: 'What `replaces` names is included, final, expired, or of another account or network.',
    todo: 'Build without `replaces`.',
  },
  IDEMPOTENCY_MISMATCH: {
    why: 'A key stands for one request, for 24 hours.',
    todo: 'Use a new key for a new request, and the old one only to repeat.',
  },
  REQUEST_IN_PROGRESS: {
    why: 'The first request with this key has not answered yet. If its process died, the key is free within ten seconds.',
    todo: 'Send the same request again after `Retry-After` seconds; it is answered what the first one was.',
  },
  REQUEST_TIMEOUT: {
    why: 'Headers took more than 10 s, or the request more than 30 s, to arrive.',
    todo: 'Send it again.',
  },
  PAYLOAD_TOO_LARGE: {
    why: 'More than 256 KiB.',
    todo: 'Send less, or several operations.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    why: 'Another content type or charset, or a compressed body.',
    todo: 'Send `content-type: application/json`, in UTF-8, uncompressed.',
  },
  HEADERS_TOO_LARGE: {
    why: 'More than 16 KiB before the body.',
    todo: 'Send fewer headers, or a shorter query.',
  },
  TOO_MANY_BUILDS: {
    why: 'One caller has 64 builds of a wallet that can still be signed.',
    todo: 'Sign one of them, or wait as many seconds as `Retry-After` says: then the first one ends.',
  },
  RATE_LIMITED: {
    why: 'More calls a minute than this address or key may make.',
    todo: 'Wait as many seconds as `Retry-After` says. Servers use a secret API key, which may call more often.',
  },
  INTERNAL: {
    why: 'A fault of the service. Its log has the cause by `requestId`.',
    todo: 'Tell the operator the `requestId`. Repeating is safe with the same `Idempotency-Key`.',
  },
  NETWORK_FAILED: {
    why: 'An RPC answered what contradicts itself or the chain.',
    todo: 'Try again later. Operators: look at the RPC.',
  },
  BUNDLER_FAILED: {
    why: 'A remote bundler answered what cannot be read.',
    todo: 'Try again later. A signed operation is kept. Operators: look at the bundler.',
  },
  SIGNER_FAILED: {
    why: "The signer of the operator's keys refused, or answered another key's signature.",
    todo: 'Try again later. Operators: see docs/keys.md.',
  },
  NETWORK_UNAVAILABLE: {
    why: 'No RPC of the network answers in time.',
    todo: 'Try again. Other networks go on.',
  },
  BUNDLER_UNAVAILABLE: {
    why: 'The bundler does not answer in time.',
    todo: 'Nothing: a signed operation is kept and sent. Ask for its status.',
  },
  SIGNER_UNAVAILABLE: {
    why: "The signer of the operator's keys does not answer in time.",
    todo: 'Try again. Nothing was lost.',
  },
  STARTING: { why: 'The process has just begun.', todo: 'Send it again after `Retry-After`.' },
  DATABASE_UNAVAILABLE: {
    why: 'PostgreSQL does not answer. Without it nothing is promised, so nothing is begun.',
    todo: 'Try again, with the same `Idempotency-Key`.',
  },
  INCLUSION_TIMEOUT: {
    why: 'The chain takes longer than INCLUSION_TIMEOUT. The operation is tracked on.',
    todo: 'Ask `GET /smart-account/transaction/status`. Sending the same signature again waits for the same operation.',
  },
} as const satisfies Record<ErrorCode, ErrorHelp>
