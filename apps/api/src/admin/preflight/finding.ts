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

/** Creates a finding of this kind; its severity is in the table. */
export const finding = (code: FindingCode, what: Omit<Finding, 'code' | 'severity'>): Finding => ({
  code,
  severity: findingTable[code].severity,
  ...what,
})

/** Whether the finding prevents the service from starting. */
export const stopsStart = ({ code }: Finding): boolean => 'stopsStart' in findingTable[code]
