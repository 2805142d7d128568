/** Names of operators: they appear in the audit log and in command lines. */
export const operatorName: RegExp = /^[A-Za-z0-9][\w.-]{0,63}$/
