import type { Texts } from '../texts.ts'

export const notebook: Texts['notebook'] = {
  title: 'Cuaderno',

  search: 'Buscar en el cuaderno',
  searchKey: 'Pulsa / para buscar',
  clear: 'Borrar',
  found: (facts, documents) => {
    const both = [
      ...(facts > 0 ? [facts === 1 ? '1 cosa que has oído' : `${facts} cosas que has oído`] : []),
      ...(documents > 0 ? [documents === 1 ? '1 documento' : `${documents} documentos`] : []),
    ]
    return both.length === 0 ? 'Sin resultados' : `Resultados: ${both.join(' y ')}`
  },
  nothingFound: 'No hay nada así en tu cuaderno. Prueba con menos palabras, o mira lo que te han contado todos.',
  showAll: 'Mostrar todo',
  from: 'De quién',
  everybody: 'Todos',

  objectives: 'Objetivos',
  missedWith: (name) => `La conversación con ${name} terminó sin lograrlo.`,

  heard: 'Lo que has oído',
  nothingHeard:
    'Todavía nada. Aquí queda escrito, con sus propias palabras, lo que te cuenten tus colegas y sea importante para la decisión.',
  nothingFrom: (name) => `Todavía nada de ${name}.`,
  inTurn: (name, turn) => `${name}, turno ${turn}`,
  onPaper: (name) => `${name}, por escrito`,
  talkTo: (name) => `Hablar con ${name}`,
  toPeople: 'Ver quién está',
  isNew: 'Nuevo',
  newThings: (n) => (n === 1 ? '1 cosa nueva' : `${n} cosas nuevas`),
  earlier: (n) => (n === 1 ? 'Una más en el cuaderno' : `${n} más en el cuaderno`),

  documents: 'Documentos',
  noDocuments: 'Todavía nada. Cada colega entrega su documento al final de la conversación.',
  fromWhom: (name) => `De ${name}`,
  handedOver: (name, role) => `Entregado por ${name}, ${role}`,
  notHere: 'Este documento no está en tu cuaderno, o todavía no.',
  factNotHere: 'Esto todavía no lo has oído.',
  back: 'Volver al cuaderno',
  close: 'Cerrar el documento',
  print: 'Imprimir',
  ringHint: 'Pulsa una cifra para rodearla a lápiz. Los círculos se quedan en este dispositivo.',
}
