import type { Finding, Fix, Severity } from '../../finding.ts'

/** The severity of each code. `docs/reference/lints.md` says what each code means. */
export const SEVERITY = {
  G001: 'error',
  G002: 'error',
  G003: 'error',
  G004: 'error',
  G005: 'error',
  G006: 'error',
  G007: 'error',
  G008: 'error',
  G009: 'error',
  G010: 'warning',
  G011: 'warning',
  G012: 'error',
  G013: 'warning',
  G014: 'error',
  G015: 'error',
  G016: 'error',
  G017: 'error',
  G018: 'error',
  G019: 'error',
  G020: 'warning',
  G021: 'info',
  G022: 'error',
  G023: 'error',
  G024: 'error',
  G025: 'warning',
  G026: 'warning',
  G027: 'warning',
  G028: 'warning',
  G029: 'info',
  G030: 'warning',
  G031: 'warning',
  G032: 'info',
  G033: 'error',
  G034: 'warning',
  G035: 'warning',
  G036: 'error',
  G037: 'error',
  G038: 'error',
  G039: 'warning',
  G040: 'error',
} as const satisfies Readonly<Record<string, Severity>>

export type Code = keyof typeof SEVERITY

/** Makes a finding with its code's severity. */
export function found(code: Code, at: string, message: string, fix?: Fix): Finding {
  const finding = { code, severity: SEVERITY[code], at, message }
  return fix ? { ...finding, fix } : finding
}
