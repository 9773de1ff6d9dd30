let context
export default {
  id: "greeter",
  name: "Greeter",
  methods: ["greeter.greet"],
  start: (given) => {
    context = given
  },
  handleMethod: (_, { name = "you" }) => context.prompt({ content: `Greet ${name}.`, threadId: "greetings" })
}
