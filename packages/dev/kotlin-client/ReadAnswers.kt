import java.io.File
import storefront.infrastructure.Serializer

/**
 * Reads answers with the models of the generated package `storefront`, and prints them as these
 * models write them. The argument is a JSON file with a list of `model` and `value`.
 */
fun main(args: Array<String>) {
    val json = Serializer.moshi.adapter(Any::class.java)
    val answers = json.fromJson(File(args[0]).readText()) as List<*>
    val read = answers.map {
        val answer = it as Map<*, *>
        val model = Serializer.moshi.adapter<Any>(Class.forName("storefront.models." + answer["model"]))
        model.toJson(model.fromJson(json.toJson(answer["value"])))
    }
    println(read.joinToString(",", "[", "]"))
}
