/** The severity of a finding. A note is shown and has no effect. */
export type Severity = 'error' | 'warning' | 'note'

interface FindingDefinition {
  readonly severity: Severity
  /**
   * Funds would be lost or stuck: the service does not start. Without this mark, the service can wait for the
   * problem to be fixed, or run without the feature.
   */
  readonly stopsStart?: true
}

/** All findings of preflight, declared once. `docs/networks.md` explains each of them. */
export const findingTable = {
  // How the network is reached.
  RPC_UNREACHABLE: { severity: 'error' },
  RPC_ENDPOINT_DOWN: { severity: 'warning' },
  WRONG_CHAIN: { severity: 'error', stopsStart: true },
  HEAD_OLD: { severity: 'warning' },
  CLOCK_BEHIND: { severity: 'warning' },
  NO_FINALITY: { severity: 'error' },
  NO_FEES: { severity: 'error' },
  NO_STATE_OVERRIDE: { severity: 'error' },
  RPC_LACKS: { severity: 'error' },
  RPC_RATE_LIMITED: { severity: 'warning' },
  RPC_LIMITED: { severity: 'note' },
  SEND_RPC_UNUSABLE: { severity: 'error' },
  CHECK_FAILED: { severity: 'error' },
  // Whether two RPCs confirm what is lent. Until then the service lends nothing.
  RPC_ONE_ORIGIN: { severity: 'error' },
  RPC_ONE_ORIGIN_ACCEPTED: { severity: 'warning' },
  RPC_NO_BLOCK_HASH: { severity: 'error' },
  RPC_UNCONFIRMED: { severity: 'error' },
  ATTESTOR_RPC_ONE_ORIGIN: { severity: 'error' },
  ATTESTOR_RPC_SHARED: { severity: 'warning' },
  // The contracts that accounts depend on.
  NO_CODE: { severity: 'error', stopsStart: true },
  OTHER_CODE: { severity: 'error', stopsStart: true },
  OTHER_ENTRY_POINT: { severity: 'error', stopsStart: true },
  UNKNOWN_BUILD: { severity: 'note' },
  SIGNER_FAULTY: { severity: 'error', stopsStart: true },
  EIP7702_UNUSABLE: { severity: 'error' },
  PRECOMPILE_MISSING: { severity: 'warning' },
  PRECOMPILE_UNEXPECTED: { severity: 'warning' },
  // The cost of gas.
  L1_FEE_UNREADABLE: { severity: 'error' },
  L1_FEE_IGNORED: { severity: 'error', stopsStart: true },
  PRICE_UNUSABLE: { severity: 'error' },
  PRICE_OF_OTHER_COIN: { severity: 'error', stopsStart: true },
  PRICE_FIXED: { severity: 'warning' },
  // Prices that are only shown.
  SHOWN_PRICE_UNUSABLE: { severity: 'warning' },
  // The settlement token.
  TOKEN_MISSING: { severity: 'error', stopsStart: true },
  TOKEN_DECIMALS: { severity: 'error', stopsStart: true },
  TOKEN_SYMBOL: { severity: 'warning' },
  TOKEN_NOT_OF_PRESET: { severity: 'note' },
  // The smart balance.
  SMART_BALANCE_ABSENT: { severity: 'note' },
  SMART_BALANCE_NO_CODE: { severity: 'error', stopsStart: true },
  SMART_BALANCE_OTHER_CODE: { severity: 'error', stopsStart: true },
  SMART_BALANCE_TOKEN: { severity: 'error', stopsStart: true },
  SMART_BALANCE_ENTRY_POINT: { severity: 'error', stopsStart: true },
  SMART_BALANCE_MODULE: { severity: 'error', stopsStart: true },
  SMART_BALANCE_OWNER_PUBLIC: { severity: 'error', stopsStart: true },
  ATTESTOR_SET_OTHER_CODE: { severity: 'error', stopsStart: true },
  ATTESTOR_SET_CHANGES: { severity: 'warning' },
  ATTESTORS_TOO_FEW: { severity: 'warning' },
  TIMELOCK_TOO_LONG: { severity: 'warning' },
  SETTLEMENT_PAUSED: { severity: 'warning' },
  TOKEN_PROBE_FAILED: { severity: 'warning' },
  OPERATOR_WITHOUT_ROLE: { severity: 'error' },
  SETTLER_WITHOUT_ROLE: { severity: 'error' },
  ATTESTOR_WITHOUT_ROLE: { severity: 'error' },
  PAUSED: { severity: 'warning' },
  OUTFLOW_CAP_ZERO: { severity: 'warning' },
  LIQUIDITY_LOW: { severity: 'warning' },
  GAS_DEPOSIT_EMPTY: { severity: 'error' },
  GAS_DEPOSIT_LOW: { severity: 'warning' },
  GAS_DEPOSIT_HIGH: { severity: 'warning' },
  STAKE_MISSING: { severity: 'warning' },
  // What the other contracts read.
  EPOCHS_NO_CODE: { severity: 'error', stopsStart: true },
  // Session keys.
  SESSION_KEYS_NO_CODE: { severity: 'error', stopsStart: true },
  SESSION_KEYS_OTHER_CODE: { severity: 'error', stopsStart: true },
  // Owner changes and guardians.
  OWNERSHIP_NO_CODE: { severity: 'error', stopsStart: true },
  OWNERSHIP_OTHER_CODE: { severity: 'error', stopsStart: true },
  // The senders.
  RELAYER_EMPTY: { severity: 'error' },
  RELAYER_LOW: { severity: 'warning' },
  RELAYER_LIMIT_LOW: { severity: 'warning' },
  SETTLER_EMPTY: { severity: 'error' },
  SETTLER_LOW: { severity: 'warning' },
  TOP_UP_EMPTY: { severity: 'error' },
  TOP_UP_LOW: { severity: 'warning' },
  TREASURY_UNSAFE: { severity: 'error', stopsStart: true },
  TREASURY_MISSING: { severity: 'warning' },
  TREASURY_EMPTY: { severity: 'error' },
  TREASURY_LOW: { severity: 'warning' },
  BUNDLER_UNREACHABLE: { severity: 'error' },
  BUNDLER_WRONG_CHAIN: { severity: 'error', stopsStart: true },
  BUNDLER_WITHOUT_ENTRY_POINT: { severity: 'error' },
  DEPLOYER_MISSING: { severity: 'warning' },
  // The files of the passkeys' domain.
  DOMAIN_FILE_UNREADABLE: { severity: 'error' },
  DOMAIN_FILE_LACKS: { severity: 'error' },
  // The identity providers of users.
  IDENTITY_PROVIDER_UNREADABLE: { severity: 'error' },
  IDENTITY_PROVIDER_LACKS: { severity: 'error' },
} as const satisfies Record<string, FindingDefinition>

export type FindingCode = keyof typeof findingTable
