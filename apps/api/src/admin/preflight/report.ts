import type { Severity } from './finding-table.ts'
import type { ProviderReport } from './identity-providers.ts'
import type { DomainReport } from './passkey-domain.ts'
import type { NetworkReport } from './preflight.ts'

/** What preflight found on a network, on the domain of passkeys, or at an identity provider. */
export type Report = NetworkReport | DomainReport | ProviderReport

const marks: Readonly<Record<Severity, string>> = { error: '✗', warning: '!', note: '·' }

/** The number of findings of a severity. */
export const countOf = (reports: readonly Report[], severity: Severity): number =>
  reports.flatMap(({ findings }) => findings).filter((one) => one.severity === severity).length

/** The report for a person: each subject, its problems, and how to fix them. */
export function describeReports(reports: readonly Report[]): string[] {
  const [errors, warnings] = [countOf(reports, 'error'), countOf(reports, 'warning')]
  return [
    ...reports.flatMap(describeReport),
    errors + warnings === 0 ? 'Ready.' : `${errors} error(s), ${warnings} warning(s).`,
  ]
}

function titleOf(
  subject:
    | Omit<NetworkReport, 'findings'>
    | Omit<DomainReport, 'findings'>
    | Omit<ProviderReport, 'findings'>,
): string {
  if ('domain' in subject) return `Passkeys of ${subject.domain}`
  return 'issuer' in subject ? `Logins of ${subject.issuer}` : `${subject.name} (${subject.network})`
}

function describeReport({ findings, ...subject }: Report): string[] {
  const title = titleOf(subject)
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
