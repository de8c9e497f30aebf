// SPDX-License-Identifier: Apache-2.0
//
// How the table (table.cc) makes strategies, and how many edits each proposes at most; each is described at
// the top of its file.
#pragma once

#include <memory>

#include "minify/strategy.h"

namespace culprit::minify::strategies {

std::unique_ptr<Strategy> MakeHoist();
size_t BoundOfHoist(const Subject& subject);

std::unique_ptr<Strategy> MakeInstrument();
size_t BoundOfInstrument(const Subject& subject);

std::unique_ptr<Strategy> MakeExplode();
size_t BoundOfExplode(const Subject& subject);

std::unique_ptr<Strategy> MakePrefix();
std::unique_ptr<Strategy> MakeSuffix();
size_t BoundOfEnd(const Subject& subject);

std::unique_ptr<Strategy> MakeGallop();
size_t BoundOfGallop(const Subject& subject);

std::unique_ptr<Strategy> MakeQuickXplain();
size_t BoundOfQuickXplain(const Subject& subject);

std::unique_ptr<Strategy> MakeDrop();
size_t BoundOfDrop(const Subject& subject);

std::unique_ptr<Strategy> MakeBypass();
size_t BoundOfBypass(const Subject& subject);

std::unique_ptr<Strategy> MakeOutputs();
size_t BoundOfOutputs(const Subject& subject);

std::unique_ptr<Strategy> MakeInputs();
size_t BoundOfInputs(const Subject& subject);

std::unique_ptr<Strategy> MakeSimplifyOperators();
size_t BoundOfSimplifyOperators(const Subject& subject);

std::unique_ptr<Strategy> MakeFold();
size_t BoundOfFold(const Subject& subject);

std::unique_ptr<Strategy> MakeUnfreeze();
size_t BoundOfUnfreeze(const Subject& subject);

std::unique_ptr<Strategy> MakeNumbers();
size_t BoundOfNumbers(const Subject& subject);

std::unique_ptr<Strategy> MakeShapes();
size_t BoundOfShapes(const Subject& subject);

std::unique_ptr<Strategy> MakeAttributes();
size_t BoundOfAttributes(const Subject& subject);

std::unique_ptr<Strategy> MakeDtypes();
size_t BoundOfDtypes(const Subject& subject);

std::unique_ptr<Strategy> MakeValues();
size_t BoundOfValues(const Subject& subject);

}  // namespace culprit::minify::strategies
