/**
 * Who may receive an allowance: the named addresses, anyone, or (native only) nobody except the called
 * contracts.
 */
export type Reach = 'named' | 'anyone' | 'nobody'

/** An allowance as typed. */
export interface AllowanceDraft {
  readonly wanted: boolean
  readonly amount: string
  /** Seconds. With 0, the amount is the total. */
  readonly period: number
  readonly reach: Reach
  /** Addresses, one on each line. */
  readonly recipients: string
}

/** Functions of one contract as typed. */
export interface CallDraft {
  /** Identifies the entry while others are added and removed. */
  readonly id: number
  readonly target: string
  /** Signatures or selectors, one on each line. */
  readonly functions: string
  /** The native value allowed for each call. Empty: none. */
  readonly maxValue: string
}

/** A session as typed. */
export interface SessionDraft {
  /** Undefined: the first network with session keys. */
  readonly chainId: number | undefined
  readonly key: string
  /** Seconds. */
  readonly duration: number
  readonly token: AllowanceDraft
  readonly native: AllowanceDraft
  readonly calls: readonly CallDraft[]
  readonly fees: string
  readonly operations: string
}

const noAllowance: AllowanceDraft = {
  wanted: false,
  amount: '',
  period: 86_400,
  reach: 'named',
  recipients: '',
}

/** Allows nothing except fees, since somebody has to pay them. */
export const emptySessionDraft: SessionDraft = {
  chainId: undefined,
  key: '',
  duration: 86_400,
  token: noAllowance,
  native: { ...noAllowance, period: 0 },
  calls: [],
  fees: '0.1',
  operations: '100',
}

type SessionDraftField =
  | 'key'
  | `token.${'amount' | 'recipients'}`
  | `native.${'amount' | 'recipients'}`
  | `call${number}.${'target' | 'functions' | 'maxValue'}`
  | 'fees'
  | 'operations'
  | 'form'

/** Errors by field; `form` is an error of the whole form. */
export type SessionDraftErrors = Partial<Record<SessionDraftField, string>>
