// SPDX-License-Identifier: MIT
// @promise 13 23 A.8 A.10
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {AttestorSet} from "../../AttestorSet.sol";
import {IPaymaster} from "../../interfaces/ERC4337.sol";
import {IOutcomeVerifier, Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Administration} from "../../smart-balance/Administration.sol";
import {Claims} from "../../smart-balance/Claims.sol";
import {PaymasterFunds} from "../../smart-balance/PaymasterFunds.sol";
import {PermanentOwner} from "../../smart-balance/PermanentOwner.sol";
import {Settlement, Settling} from "../../smart-balance/Settlement.sol";
import {SmartBalanceParts as SmartBalance} from "../../smart-balance/SmartBalanceParts.sol";
import {SmartBalanceTest} from "../smart-balance/SmartBalanceTest.sol";

/// @notice Attack: each holder of a role tries the powers of the others. The tests are the table of SECURITY.md, as
/// calls.
contract UsePowersOfOthersTest is SmartBalanceTest {
    address private constant PAUSER = address(0x6A4D);
    address private constant THIRD_PARTY = address(0xBAD);
    address private constant OPERATOR = address(0x09E4);

    /// @dev A call that only one caller may make.
    struct Power {
        string name;
        address target;
        bytes data;
        /// The revert data for all others.
        bytes4 refusal;
    }

    function setUp() public override {
        super.setUp();
        vm.startPrank(ADMIN);
        smartBalance.setPauser(PAUSER);
        smartBalance.setOperator(OPERATOR, true);
        vm.stopPrank();
        _deposit(account, 100e6);
    }

    function test_onlyTheOwnerHasItsPowers() public {
        Power[] memory powers = _ownersPowers();
        address[6] memory others =
            [PAUSER, OPERATOR, SETTLER, vm.addr(attestorKeys[0]), account, THIRD_PARTY];
        for (uint256 i; i < powers.length; ++i) {
            for (uint256 j; j < others.length; ++j) {
                _expectRefused(powers[i], others[j]);
            }
        }
    }

    function test_onlyASettlerSettles() public {
        Settling memory item;
        Power memory one = Power(
            "settle",
            address(smartBalance),
            abi.encodeCall(Settlement.settle, (item.chainId, item.signed, item.outcome, item.proof)),
            Administration.NotSettler.selector
        );
        Power memory batch = Power(
            "settleBatch",
            address(smartBalance),
            abi.encodeCall(Settlement.settleBatch, (new Settling[](0))),
            Administration.NotSettler.selector
        );
        address[6] memory others = [ADMIN, PAUSER, OPERATOR, vm.addr(attestorKeys[0]), account, THIRD_PARTY];
        for (uint256 i; i < others.length; ++i) {
            _expectRefused(one, others[i]);
            _expectRefused(batch, others[i]);
        }
    }

    function test_onlyEntryPointCallsValidationAndPostOp() public {
        Power memory validate = Power(
            "validatePaymasterUserOp",
            address(smartBalance),
            abi.encodeCall(IPaymaster.validatePaymasterUserOp, (_build(_draft()), 0, 0)),
            Claims.NotEntryPoint.selector
        );
        Power memory end = Power(
            "postOp",
            address(smartBalance),
            abi.encodeCall(IPaymaster.postOp, (IPaymaster.PostOpMode.opSucceeded, "", 0, 0)),
            Claims.NotEntryPoint.selector
        );
        address[7] memory others =
            [ADMIN, PAUSER, OPERATOR, SETTLER, vm.addr(attestorKeys[0]), account, THIRD_PARTY];
        for (uint256 i; i < others.length; ++i) {
            _expectRefused(validate, others[i]);
            _expectRefused(end, others[i]);
        }
    }

    /// @dev The pauser can stop things, and never start them.
    function test_thePauserPausesAndRevokesOperators() public {
        vm.startPrank(PAUSER);
        smartBalance.setPaused(true);
        smartBalance.setOperator(OPERATOR, false);
        vm.stopPrank();
        assertTrue(smartBalance.paused(), "paused");
        assertTrue(!smartBalance.isOperator(OPERATOR), "revoked");
        _expectRefused(_power("setPaused", abi.encodeCall(Administration.setPaused, (false))), PAUSER);
        _expectRefused(_power("setOperator", abi.encodeCall(Administration.setOperator, (OPERATOR, true))), PAUSER);
        vm.prank(ADMIN);
        smartBalance.setPaused(false);
        assertTrue(!smartBalance.paused(), "the owner unpauses");
    }

    /// @dev Only the owner and the pauser have the pauser's two powers.
    function test_onlyOwnerAndPauserStop() public {
        address[5] memory others = [OPERATOR, SETTLER, vm.addr(attestorKeys[0]), account, THIRD_PARTY];
        for (uint256 i; i < others.length; ++i) {
            _expectRefused(_power("setPaused", abi.encodeCall(Administration.setPaused, (true))), others[i]);
            _expectRefused(
                _power("setOperator", abi.encodeCall(Administration.setOperator, (OPERATOR, false))), others[i]
            );
        }
    }

    function test_aFormerPauserHasNoPower() public {
        vm.prank(ADMIN);
        smartBalance.setPauser(address(0));
        _expectRefused(_power("setPaused", abi.encodeCall(Administration.setPaused, (true))), PAUSER);
    }

    /// @dev Without an owner, no one could revoke a stolen operator key or lift a pause.
    function test_ownershipCannotBeRenounced() public {
        vm.startPrank(ADMIN);
        vm.expectRevert(abi.encodeWithSelector(PermanentOwner.OwnerRequired.selector));
        smartBalance.renounceOwnership();
        vm.expectRevert(abi.encodeWithSelector(PermanentOwner.OwnerRequired.selector));
        attestorSet.renounceOwnership();
        vm.stopPrank();
        assertTrue(smartBalance.owner() == ADMIN && attestorSet.owner() == ADMIN, "owner");
    }

    /// @dev Deposits stay covered, whatever the owner takes.
    function test_theOwnerCannotTakeADeposit() public {
        vm.startPrank(ADMIN);
        smartBalance.withdrawLiquidity(ADMIN, LIQUIDITY);
        vm.expectRevert();
        smartBalance.withdrawLiquidity(ADMIN, 1);
        vm.stopPrank();
        assertEq(tokenOn[O].balanceOf(address(smartBalance)), 100e6, "the deposit");
    }

    /// @dev All powers of the owner, of both contracts.
    function _ownersPowers() private view returns (Power[] memory powers) {
        powers = new Power[](17);
        uint256 i;
        powers[i++] = _power("setPauser", abi.encodeCall(Administration.setPauser, (THIRD_PARTY)));
        powers[i++] = _power("setOperator", abi.encodeCall(Administration.setOperator, (THIRD_PARTY, true)));
        powers[i++] = _power("setSettler", abi.encodeCall(Administration.setSettler, (THIRD_PARTY, true)));
        powers[i++] = _power("setSettler", abi.encodeCall(Administration.setSettler, (SETTLER, false)));
        powers[i++] = _power(
            "proposeVerifier", abi.encodeCall(Administration.proposeVerifier, (IOutcomeVerifier(address(1))))
        );
        powers[i++] = _power("applyVerifier", abi.encodeCall(Administration.applyVerifier, ()));
        powers[i++] = _power("setOutflowCap", abi.encodeCall(Administration.setOutflowCap, (1)));
        powers[i++] = _power("setPaused", abi.encodeCall(Administration.setPaused, (false)));
        powers[i++] = _power(
            "withdrawLiquidity", abi.encodeCall(Administration.withdrawLiquidity, (THIRD_PARTY, 1))
        );
        powers[i++] = _power(
            "withdrawGas", abi.encodeCall(PaymasterFunds.withdrawGas, (payable(THIRD_PARTY), 1))
        );
        powers[i++] = _power("addStake", abi.encodeCall(PaymasterFunds.addStake, (1)));
        powers[i++] = _power("unlockStake", abi.encodeCall(PaymasterFunds.unlockStake, ()));
        powers[i++] = _power(
            "withdrawStake", abi.encodeCall(PaymasterFunds.withdrawStake, (payable(THIRD_PARTY)))
        );
        powers[i++] = _power("transferOwnership", abi.encodeCall(smartBalance.transferOwnership, (THIRD_PARTY)));
        powers[i++] = _ofAttestors("proposeAttestor", abi.encodeCall(AttestorSet.proposeAttestor, (THIRD_PARTY)));
        powers[i++] = _ofAttestors("raiseThreshold", abi.encodeCall(AttestorSet.raiseThreshold, (3)));
        powers[i++] = _ofAttestors("proposeThreshold", abi.encodeCall(AttestorSet.proposeThreshold, (1)));
    }

    function _power(string memory name, bytes memory data) private view returns (Power memory) {
        return Power(name, address(smartBalance), data, Ownable.OwnableUnauthorizedAccount.selector);
    }

    function _ofAttestors(string memory name, bytes memory data) private view returns (Power memory) {
        return Power(name, address(attestorSet), data, Ownable.OwnableUnauthorizedAccount.selector);
    }

    function _expectRefused(Power memory power, address caller) private {
        vm.prank(caller);
        (bool success, bytes memory returned) = power.target.call(power.data);
        assertTrue(!success && bytes4(returned) == power.refusal, power.name);
    }
}
