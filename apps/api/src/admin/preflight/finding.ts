import { type FindingCode, findingTable, type Severity } from './finding-table.ts'

/** Something that is not as it should be on one network. */
export interface Finding {
  readonly code: FindingCode
  readonly severity: Severity
  /** What is wrong, in a sentence. */
  readonly message: string
  readonly expected?: string
  readonly seen?: string
  /** What fixes it: a command where one does. */
  readonly fix?: string
}

/** A finding of this kind; its weight is in the table. */
export const finding = (code: FindingCode, what: Omit<Finding, 'code' | 'severity'>): Finding => ({
  code,
  severity: findingTable[code].severity,
  ...what,
})

/** Whether the service must not start with it. */
export const stopsStart = ({ code }: Finding): boolean => 'stopsStart' in findingTable[code]
