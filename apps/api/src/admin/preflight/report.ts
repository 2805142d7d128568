import type { Severity } from './finding-table.ts'
import type { NetworkReport } from './preflight.ts'

const marks: Readonly<Record<Severity, string>> = { error: '✗', warning: '!', note: '·' }

/** The number of findings of a severity. */
export const countOf = (reports: readonly NetworkReport[], severity: Severity): number =>
  reports.flatMap(({ findings }) => findings).filter((one) => one.severity === severity).length

/** The report for a person: each network, its problems, and how to fix them. */
export function describeReports(reports: readonly NetworkReport[]): string[] {
  const [errors, warnings] = [countOf(reports, 'error'), countOf(reports, 'warning')]
  return [
    ...reports.flatMap(describeReport),
    errors + warnings === 0 ? 'Ready.' : `${errors} error(s), ${warnings} warning(s).`,
  ]
}

function describeReport({ network, name, findings }: NetworkReport): string[] {
  const isReady = findings.every(({ severity }) => severity === 'note')
  return [
    `${name} (${network})${isReady ? ': ready' : ''}`,
    ...findings.flatMap(({ code, severity, message, expected, seen, fix }) => [
      `  ${marks[severity]} ${code}  ${message}`,
      ...(expected === undefined ? [] : [`      expected  ${expected}`]),
      ...(seen === undefined ? [] : [`      seen      ${seen}`]),
      ...(fix === undefined ? [] : [`      fix       ${fix}`]),
    ]),
    '',
  ]
}
