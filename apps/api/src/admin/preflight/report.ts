import type { Severity } from './finding-table.ts'
import type { DomainReport } from './passkey-domain.ts'
import type { NetworkReport } from './preflight.ts'

/** What preflight found on a network, or on the domain of passkeys. */
export type Report = NetworkReport | DomainReport

const marks: Readonly<Record<Severity, string>> = { error: '✗', warning: '!', note: '·' }

/** The number of findings of a severity. */
export const countOf = (reports: readonly Report[], severity: Severity): number =>
  reports.flatMap(({ findings }) => findings).filter((one) => one.severity === severity).length

/** The report for a person: each network and the domain, their problems, and how to fix them. */
export function describeReports(reports: readonly Report[]): string[] {
  const [errors, warnings] = [countOf(reports, 'error'), countOf(reports, 'warning')]
  return [
    ...reports.flatMap(describeReport),
    errors + warnings === 0 ? 'Ready.' : `${errors} error(s), ${warnings} warning(s).`,
  ]
}

function describeReport({ findings, ...subject }: Report): string[] {
  const title = 'domain' in subject ? `Passkeys of ${subject.domain}` : `${subject.name} (${subject.network})`
  const isReady = findings.every(({ severity }) => severity === 'note')
  return [
    `${title}${isReady ? ': ready' : ''}`,
    ...findings.flatMap(({ code, severity, message, expected, seen, fix }) => [
      `  ${marks[severity]} ${code}  ${message}`,
      ...(expected === undefined ? [] : [`      expected  ${expected}`]),
      ...(seen === undefined ? [] : [`      seen      ${seen}`]),
      ...(fix === undefined ? [] : [`      fix       ${fix}`]),
    ]),
    '',
  ]
}
