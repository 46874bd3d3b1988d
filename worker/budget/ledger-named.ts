/**
 * A ledger by its name. The platform keeps the name of an object that is reached by it beside what the object stores,
 * and a learner's ledger is named by the learner; the same object reached by its id has none.
 */
export function ledgerNamed(namespace: DurableObjectNamespace, name: string): DurableObjectStub {
  return namespace.get(namespace.idFromString(namespace.idFromName(name).toString()))
}
