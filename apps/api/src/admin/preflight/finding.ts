import { type FindingCode, findingTable, type Severity } from './finding-table.ts'

/** A problem on one network. */
export interface Finding {
  readonly code: FindingCode
  readonly severity: Severity
  /** One sentence that describes the problem. */
  readonly message: string
  readonly expected?: string
  readonly seen?: string
  /** How to fix it: a command if possible. */
  readonly fix?: string
}

export type Findings = readonly Finding[]

/** A finding of this kind, as a check returns it; its severity is in the table. */
export const finding = (code: FindingCode, what: Omit<Finding, 'code' | 'severity'>): readonly [Finding] => [
  { code, severity: findingTable[code].severity, ...what },
]

/** The same where the condition holds; otherwise nothing is found. */
export const findingIf = (condition: boolean, ...[code, what]: Parameters<typeof finding>): Findings =>
  condition ? finding(code, what) : []

/** Whether the finding prevents the service from starting. */
export const stopsStart = ({ code }: Finding): boolean => 'stopsStart' in findingTable[code]
