// SPDX-License-Identifier: Apache-2.0
//
// A compiler of your own as a backend of Culprit: a shared library that exports one function, culprit_plugin.
// Plain C (C99) and C++; nothing but this header is needed to build one. docs/backends.md goes through it
// step by step, examples/plugin is complete.
//
//   culprit backends ./libmine.so          what the plug-in says about itself
//   ./libmine.so:level=2,off=fuse          how it is named where a backend is wanted
//
// WHAT HAPPENS
//   culprit_plugin   once per process        the plug-in describes itself
//   configure        once per backend        optional: checks the options
//   compile          once per graph          the graph becomes something of yours
//   call             any number of times     inputs in, outputs out
//   destroy          once per compiled graph
//
// ERRORS. Functions that return int32_t return 0 if all went well. To fail, `return host->fail(host, "...")`:
// the text is what users read, so name the operator or the input that is to blame. A function of the host
// that fails has said why already: `return CULPRIT_FAILED`.
//
// MEMORY. What the host passes belongs to the host. Everything that `compile` gets (host, graph, inputs, and
// the data in them) stays where it is, unchanged, until `destroy` has returned. What `call` gets ends with
// the call. What the plug-in passes is copied before the function returns, except CulpritPlugin and all it
// points to, which must last as long as the process; the library is never unloaded.
//
// THREADS. A host is used from the thread that called the plug-in. Calls of one compiled graph do not
// overlap.
//
// VERSIONS. CULPRIT_ABI_VERSION counts changes that break. Anything else only adds members to the ends of
// structs that are reached through pointers; a plug-in that uses an added one compares struct_size first.
// CulpritArgument, CulpritOption and CulpritSwitch stand in arrays and never change.
#ifndef CULPRIT_BACKEND_H
#define CULPRIT_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CULPRIT_ABI_VERSION 1u

// What a function of the plug-in returns after a function of the host has failed.
#define CULPRIT_FAILED 1

// With the numbers of PyTorch's ScalarType.
enum CulpritDtype {
  CULPRIT_UINT8 = 0,
  CULPRIT_INT8 = 1,
  CULPRIT_INT16 = 2,
  CULPRIT_INT32 = 3,
  CULPRIT_INT64 = 4,
  CULPRIT_FLOAT16 = 5,
  CULPRIT_FLOAT32 = 6,
  CULPRIT_FLOAT64 = 7,
  CULPRIT_COMPLEX32 = 8,
  CULPRIT_COMPLEX64 = 9,
  CULPRIT_COMPLEX128 = 10,
  CULPRIT_BOOL = 11,
  CULPRIT_BFLOAT16 = 15
};

// A dense tensor. Sparse and quantised ones, and those with a pending conjugation or negation, never reach a
// plug-in: Culprit refuses them with an error.
typedef struct CulpritTensor {
  int32_t dtype;  // CulpritDtype
  int32_t ndim;
  const int64_t* sizes;
  const int64_t* strides;  // in elements; as the program has them, so often not contiguous, and 0 if expanded
  void* data;          // of the element with index 0, 0, ...; NULL if there are no numbers to look at (yet)
  const char* device;  // "cpu", "cuda:0"
} CulpritTensor;

enum CulpritArgumentKind {
  CULPRIT_NONE = 0,
  CULPRIT_VALUE = 1,    // as.value: a value of the graph
  CULPRIT_TENSOR = 2,   // as.tensor; only in inputs
  CULPRIT_INT = 3,      // as.integer
  CULPRIT_FLOAT = 4,    // as.number
  CULPRIT_BOOLEAN = 5,  // as.integer, 0 or 1
  CULPRIT_COMPLEX = 6,  // as.complex_number: real part, imaginary part
  CULPRIT_STRING = 7,   // as.string, of `length` bytes, with a 0 behind them
  CULPRIT_DTYPE = 8,    // as.integer: CulpritDtype
  CULPRIT_LAYOUT = 9,   // as.integer: PyTorch's Layout, 0 is strided
  CULPRIT_MEMORY_FORMAT =
      10,  // as.integer: PyTorch's MemoryFormat, 0 contiguous, 1 preserve, 2 channels last, 3 in 3d
  CULPRIT_DEVICE = 11,  // as.string: "cpu", "cuda:0"
  CULPRIT_LIST = 12,    // as.list, of `length` elements; lists may nest
  CULPRIT_OPAQUE = 13   // nothing a plug-in could look into: a generator of random numbers
};

// An argument of an operator, an output of the graph, or an input of a call.
// A number in the place of a tensor is a number here too; PyTorch computes with it as with a tensor of no
// dimensions that does not take part in type promotion.
typedef struct CulpritArgument {
  uint32_t kind;  // CulpritArgumentKind
  uint32_t length;
  union {
    uint32_t value;
    const CulpritTensor* tensor;
    int64_t integer;
    double number;
    double complex_number[2];
    const char* string;
    const struct CulpritArgument* list;
  } as;
} CulpritArgument;

// What a value is at run time.
enum CulpritValueKind {
  CULPRIT_VALUE_TENSOR = 0,
  CULPRIT_VALUE_TENSOR_LIST = 1,
  CULPRIT_VALUE_INT = 2,
  CULPRIT_VALUE_INT_LIST = 3,
  CULPRIT_VALUE_FLOAT = 4,
  CULPRIT_VALUE_BOOL = 5,
  CULPRIT_VALUE_NUMBER = 6,  // int, float or bool
  CULPRIT_VALUE_GENERATOR = 7
};

enum CulpritOrigin {
  CULPRIT_FROM_INPUT = 0,
  CULPRIT_FROM_PARAMETER = 1,
  CULPRIT_FROM_BUFFER = 2,
  CULPRIT_FROM_CONSTANT = 3,
  CULPRIT_FROM_NODE = 4
};

typedef struct CulpritValue {
  const char* name;  // unique in the graph
  int32_t kind;      // CulpritValueKind
  int32_t origin;    // CulpritOrigin
  // The place among graph->nodes, or among graph->placeholders for an input, a parameter or a buffer.
  uint32_t origin_index;
  uint32_t result_index;          // of a node: which of its results
  const CulpritTensor* constant;  // of a constant: its tensor, with data; otherwise NULL
} CulpritValue;

// A call of an operator: add = torch.ops.aten.add.Tensor(x, y, alpha = 2)
typedef struct CulpritNode {
  const char* op;        // "aten::add"; "python::..." are arithmetic on sizes and elements of lists
  const char* overload;  // "Tensor"; "" is what Python calls default
  uint32_t argument_count;
  uint32_t result_count;
  const CulpritArgument* arguments;   // all of the operator's schema, in its order, defaults filled in
  const char* const* argument_names;  // "self", "other", "alpha"
  const uint32_t* results;            // values
} CulpritNode;

// A straight-line program: each value is made once, nodes stand in the order in which they run.
typedef struct CulpritGraph {
  size_t struct_size;
  const char* name;  // such as "resnet18_0_forward"; often ""
  uint32_t value_count;
  uint32_t placeholder_count;
  uint32_t node_count;
  uint32_t output_count;
  const CulpritValue* const* values;
  const uint32_t* placeholders;  // values, in the order of the inputs of a call
  const CulpritNode* const* nodes;
  const CulpritArgument* outputs;  // values and constants
  // Of each placeholder the name of each of its sizes ("s0") that may be another one at a call, and NULL for
  // each that is fixed; NULL in place of the list if all are. The same name is the same size. An integer has
  // one.
  const char* const* const* symbols;
} CulpritGraph;

enum CulpritShareOf { CULPRIT_SHARE_INPUT = 0, CULPRIT_SHARE_OUTPUT = 1 };

// What the plug-in can ask of Culprit. The first argument is the host itself.
typedef struct CulpritHost CulpritHost;
struct CulpritHost {
  size_t struct_size;
  void* internal;

  // Sets the message of the failure, formatted as by printf, and returns CULPRIT_FAILED.
  int32_t (*fail)(const CulpritHost* host, const char* format, ...)
#ifdef __GNUC__
      __attribute__((format(printf, 2, 3)))
#endif
      ;

  // The value of an option that the plug-in describes: what the user wrote, or the default. NULL if it
  // describes none of this name.
  const char* (*option)(const CulpritHost* host, const char* name);

  // Ask right before a pass is applied, each time: users turn off single applications (off=fuse@3), and a
  // search for the guilty one counts them. So the order must be the same for the same graph. Counting begins
  // anew with each `compile`. Returns 0 or 1; a name that the plug-in does not describe fails the
  // compilation.
  int32_t (*switch_is_on)(const CulpritHost* host, const char* name);

  // The graph as text (docs/text-form.md), constants written out in full. NULL if it cannot be written. In
  // `compile` only.
  const char* (*text)(const CulpritHost* host);

  // The following make the outputs, in `call` only. Each output is made exactly once.

  // A new tensor on the CPU, not initialised, with these strides, or contiguous if they are NULL. Returns the
  // address of its first element; NULL if the request is wrong.
  void* (*allocate)(const CulpritHost* host, uint32_t output, int32_t dtype, int32_t ndim,
                    const int64_t* sizes, const int64_t* strides);

  // An input, or an output made before, or a view of one: what aten::view returns. `offset` counts elements
  // from the first one of what is shared. Without sizes and strides (NULL) it is the whole.
  int32_t (*share)(const CulpritHost* host, uint32_t output, int32_t of /* CulpritShareOf */, uint32_t index,
                   int32_t ndim, const int64_t* sizes, const int64_t* strides, int64_t offset);

  // Anything that is no tensor: none, numbers, strings, lists of integers.
  int32_t (*set)(const CulpritHost* host, uint32_t output, const CulpritArgument* value);
};

typedef struct CulpritOption {
  const char* name;
  const char* default_value;
  const char* line;            // one line for users, in lower case and without a full stop
  const char* const* choices;  // the values it may have, then NULL; NULL instead if any text will do
} CulpritOption;

// A pass, a stage or a flag that can be turned off, so that a search can find the one that breaks a graph.
typedef struct CulpritSwitch {
  const char* name;  // stable: scripts and repros name it
  const char* line;
} CulpritSwitch;

// What may depend on the options.
typedef struct CulpritWishes {
  size_t struct_size;
  int32_t frozen_parameters;
  int32_t calls;
} CulpritWishes;

typedef struct CulpritPlugin {
  size_t struct_size;             // sizeof(CulpritPlugin)
  uint32_t abi_version;           // CULPRIT_ABI_VERSION
  const char* name;               // a word
  const char* line;               // one line for users, in lower case and without a full stop
  const CulpritOption* options;   // then one whose name is NULL; NULL if there are none
  const CulpritSwitch* switches;  // the same

  // 0: parameters and buffers are inputs like others (lifted). 1: they are constants, so `compile` gets their
  // data too, for folding and packing; `call` still gets them, and may ignore them.
  int32_t frozen_parameters;
  // From which call on the compiler has done all it does; 0 is 1.
  int32_t calls;

  // Optional. Fails if an option has a value that makes no sense; may change the wishes, which begin as
  // above.
  int32_t (*configure)(const CulpritHost* host, CulpritWishes* wishes);

  // `inputs` has one per placeholder. Of tensors that are not frozen only dtype, sizes, strides and device
  // are known here; data is NULL. What is written to *compiled comes back in the other two.
  int32_t (*compile)(const CulpritHost* host, const CulpritGraph* graph, const CulpritArgument* inputs,
                     void** compiled);

  // `inputs` has one per placeholder, with data. It may be written to only where the graph writes into it.
  int32_t (*call)(const CulpritHost* host, void* compiled, const CulpritArgument* inputs);

  // Optional. Not called for what failed to compile.
  void (*destroy)(void* compiled);

  // 1: the plug-in heeds graph->symbols. 0, and plug-ins that end before: `call` gets the sizes of `compile`.
  int32_t symbols;
} CulpritPlugin;

// The one function that a plug-in exports. `host_abi` is the CULPRIT_ABI_VERSION of this Culprit. NULL, or
// another abi_version in the plug-in, is an error that names both versions.
__attribute__((visibility("default"))) const CulpritPlugin* culprit_plugin(uint32_t host_abi);

#ifdef __cplusplus
}
#endif

#endif  // CULPRIT_BACKEND_H
