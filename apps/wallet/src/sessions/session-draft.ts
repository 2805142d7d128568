/** Who may receive an allowance: those who are named, anyone, or (native only) nobody but the contracts that are called. */
export type Reach = 'named' | 'anyone' | 'nobody'

/** An allowance as the person fills it in. */
export interface AllowanceDraft {
  readonly wanted: boolean
  readonly amount: string
  /** Seconds; 0: the amount is the total. */
  readonly period: number
  readonly reach: Reach
  /** Addresses, one a line. */
  readonly recipients: string
}

/** Functions of one contract as the person fills them in. */
export interface CallDraft {
  /** Tells one from another while they come and go. */
  readonly id: number
  readonly target: string
  /** Signatures or selectors, one a line. */
  readonly functions: string
  /** Of the native currency, for each call; empty: none. */
  readonly maxValue: string
}

/** A session as the person fills it in. */
export interface SessionDraft {
  /** Undefined: the first network that has sessions. */
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

/** Nothing is allowed but fees, since somebody has to pay them. */
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

/** What is wrong, place by place; `form` for what is wrong with the whole. */
export type SessionDraftErrors = Partial<Record<SessionDraftField, string>>
