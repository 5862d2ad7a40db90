"""BenchExec's view of Lakatos: how it is called, and what its answers mean.

With the repository on PYTHONPATH its name is `contrib.benchexec.lakatos`; lakatos.xml uses it.
"""

import benchexec.result as result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

DATA_MODELS = {"ILP32": "--32", "LP64": "--64"}

# Exit codes of `lakatos verify` that are no verdicts.
BAD_INPUT = 3
INTERNAL_ERROR = 4


class Tool(BaseTool2):
    REQUIRED_PATHS = ["libz3.so"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("lakatos")

    def name(self):
        return "Lakatos"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="lakatos ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", "--svcomp"]
        command += self._data_model(task)
        if task.property_file:
            command += ["--property", task.property_file]
        return command + list(options) + [task.single_input_file]

    def _data_model(self, task):
        if not isinstance(task.options, dict):
            return []
        if task.options.get("language", "C") != "C":
            raise UnsupportedFeatureException("Lakatos verifies programs in C")
        model = task.options.get("data_model")
        if model is None:
            return []
        if model not in DATA_MODELS:
            raise UnsupportedFeatureException(f"Lakatos does not know the data model {model}")
        return [DATA_MODELS[model]]

    def determine_result(self, run):
        """The verdict counts only if line and exit code say the same."""
        if run.was_timeout or run.exit_code.signal:
            return result.RESULT_ERROR
        lines = [line.strip() for line in run.output]
        answer = lines[-1] if lines else ""
        code = run.exit_code.value
        if code == 0 and answer == "true":
            return result.RESULT_TRUE_PROP
        if code == 1 and answer.startswith("false(") and answer.endswith(")"):
            return answer
        if code == 2 and answer == "unknown":
            return result.RESULT_UNKNOWN
        if code == BAD_INPUT:
            return f"{result.RESULT_ERROR} (bad input)"
        if code == INTERNAL_ERROR:
            return f"{result.RESULT_ERROR} (internal error)"
        return result.RESULT_ERROR
